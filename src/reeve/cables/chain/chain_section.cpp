#include "reeve/cables/chain/chain_section.h"

#include "reeve/math/scalar.h"

namespace reeve {

ChainSection sectionOf(const MaterialSettings& m) {
  ChainSection section{m.axial, m.bending, m.torsion};
  if (!m.young) return section;
  const double r = m.radius, area = m.section == SectionShape::square ? 4.0 * r * r : math::pi * r * r;
  const double second = m.section == SectionShape::square ? area * area / 12.0 : 0.25 * math::pi * r * r * r * r;
  const double polar = m.section == SectionShape::square ? 0.1406 * area * area : 2.0 * second;
  if (m.axial == unbounded) section.axial = *m.young * area;
  if (m.bending == 0.0) section.bending = *m.young * second;
  if (m.torsion == 0.0) section.torsion = *m.young * polar / (2.0 * (1.0 + m.poisson));
  return section;
}

Vec3 segmentInertia(const MaterialSettings& m, double length) {
  const double r = m.radius;
  const double turn =
      m.section == SectionShape::square ? r * r / 3.0 : 0.25 * r * r;  // of the section about its diameter
  const double across = length * length / 12.0 + turn;
  return Vec3(across, across, 2.0 * turn);
}

void setJointMaterial(const CableSettings& settings, const ChainSection& section, double length, SegmentJoint& joint) {
  joint.length = length;
  joint.stretch = section.axial == unbounded ? 0.0 : length / section.axial;
  if (settings.compliance) joint.stretch = *settings.compliance;
  joint.bends = joint.bends && section.bending > 0.0;
  joint.twists = joint.twists && section.torsion > 0.0;
  if (joint.bends) joint.bend = section.bending == unbounded ? 0.0 : length / section.bending;
  if (joint.twists) joint.twist = section.torsion == unbounded ? 0.0 : length / section.torsion;
  joint.measure = settings.twist;
  joint.restTwist = settings.twisted * length;
  joint.damping = settings.material.damping;
  joint.growth = settings.bendGrowth;
  joint.stiffens = settings.stiffens;
  joint.plainA = joint.frameA.isIdentity(0.0);
  joint.plainB = joint.frameB.isIdentity(0.0);
}

}  // namespace reeve
