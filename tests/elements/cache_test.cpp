// Caches of an instant: every element is evaluated once for a trial, and nobody reads a cache of another one.
#include "reeve/model/element.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

struct Reading : ElementCache {
  int evaluated = 0;
  double x = 0.0;
};

/// Notes where the first free block is.
class Reader : public Element {
 public:
  explicit Reader(int block) : block_(block) {}
  std::unique_ptr<ElementCache> makeCache() const override { return std::make_unique<Reading>(); }
  void evaluate(const Instant& now, ElementCache& cache) const override {
    auto& reading = static_cast<Reading&>(cache);
    ++reading.evaluated;
    reading.x = now.position(block_).x();
  }

 private:
  int block_;
};

struct CacheScene {
  Model model;
  State state;
  CacheScene() {
    model.blocks.resize(2);
    model.blocks[1].q = model.blocks[1].v = 0;
    model.blocks[1].dof = 3;
    model.elements.push_back(std::make_unique<Element>());
    model.elements.push_back(std::make_unique<Reader>(1));
    model.elements.back()->index = 1;
    state.q = {2.0, 0.0, 0.0};
    state.v = {1.0, 0.0, 0.0};
  }
  const Element& reader() const { return *model.elements[1]; }
};

TEST(Caches, AnInstantIsEvaluatedOnceUntilItIsTouched) {
  CacheScene scene;
  Instant now;
  now.bind(scene.model, scene.state);
  now.rewind();
  now.evaluate();
  now.evaluate();
  EXPECT_EQ(now.cache<Reading>(scene.reader()).evaluated, 1);
  EXPECT_EQ(now.cache<Reading>(scene.reader()).x, 2.0);
  now.q[0] = 3.0;
  now.touch();
  now.evaluate();
  EXPECT_EQ(now.cache<Reading>(scene.reader()).evaluated, 2);
  EXPECT_EQ(now.cache<Reading>(scene.reader()).x, 3.0);
}

TEST(Caches, ACopyHasItsOwn) {
  CacheScene scene;
  Instant now;
  now.bind(scene.model, scene.state);
  now.rewind();
  now.evaluate();
  Instant copy = now;
  copy.q[0] = 5.0;
  copy.evaluate();
  EXPECT_EQ(copy.cache<Reading>(scene.reader()).evaluated, 1);
  EXPECT_EQ(copy.cache<Reading>(scene.reader()).x, 5.0);
  EXPECT_EQ(now.cache<Reading>(scene.reader()).x, 2.0);
}

TEST(CachesDeathTest, NobodyReadsWhatWasEvaluatedElsewhere) {
  CacheScene scene;
  Instant now;
  now.bind(scene.model, scene.state);
  now.rewind();
  EXPECT_DEATH(now.cache<Reading>(scene.reader()), "");
  now.evaluate();
  now.touch();
  EXPECT_DEATH(now.cache<Reading>(scene.reader()), "");
}

}  // namespace
}  // namespace reeve::test
