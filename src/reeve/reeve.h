#pragma once
// All that a program needs: describe a scene or read one, build worlds, drive, step and measure them, alone or in
// batches.
#include "reeve/cables/cable.h"
#include "reeve/cables/particles/constraint.h"
#include "reeve/model/state.h"
#include "reeve/scene/scene.h"
#include "reeve/world/batch.h"
#include "reeve/world/extensions.h"
#include "reeve/world/extremes.h"
#include "reeve/world/world.h"
