// Uses the installed library as a stranger would: one header per layer it needs, and the flags that come with it.
#include <reeve/math/hash.h>
#include <reeve/math/rotation.h>
#include <reeve/math/scalar.h>

#include <cstdio>

int main() {
  const reeve::Vec3 turned = reeve::rotationExp({0, 0, reeve::math::pi / 2}) * reeve::Vec3(1, 0, 0);
  reeve::math::Hasher hash;
  for (int i = 0; i < 3; ++i) hash.add(turned[i]);
  std::printf("a quarter turn of x is (%g, %g, %g), hash %s\n", turned.x(), turned.y(), turned.z(),
              reeve::math::hex(hash.value()).c_str());
  return (turned - reeve::Vec3(0, 1, 0)).norm() < 1e-15 ? 0 : 1;
}
