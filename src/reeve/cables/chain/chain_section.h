#pragma once
// What a chain is made of: stiffness per metre, from its material.
#include "reeve/cables/chain/segment_joint.h"
#include "reeve/model/description.h"

namespace reeve {

struct ChainSection {
  double axial = unbounded, bending = 0.0, torsion = 0.0;  ///< EA N, EI N m², GJ N m²
};

/// Given, or of Young's modulus and the section.
ChainSection sectionOf(const MaterialSettings& material);

/// Of a rigid segment of this length about its own axes, for a mass of 1 kg.
Vec3 segmentInertia(const MaterialSettings& material, double length);

/// Gives a joint the stiffness of so much cable. Whether it bends and twists at all is the joint's own.
void setJointMaterial(const CableSettings& settings, const ChainSection& section, double length, SegmentJoint& joint);

}  // namespace reeve
