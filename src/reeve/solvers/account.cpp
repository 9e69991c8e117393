#include "reeve/solvers/account.h"

namespace reeve {

namespace {

std::size_t placeOf(Work kind) { return static_cast<std::size_t>(kind); }

/// W: no damper has a power above zero, so this says that the one at the start of a step does not count.
constexpr double overSoon = 1.0;

/// The part of J v that bodies have in it which go as they are told.
double ledRate(const RowSet& set, const Row& row, const Model& model, std::span<const double> v) {
  double sum = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = set.entries[at(e)];
    const Block& b = model.blocks[at(entry.block)];
    for (int k = 0; !b.free && k < b.dof; ++k) sum += entry.j[k] * v[at(b.v + k)];
  }
  return sum;
}

/// What holds a told coordinate against a force on it has the opposite power.
void addTold(const Model& model, Elements elements, const Instant& now, Forces& room, Doings& out) {
  room.force.assign(now.v.size(), 0.0);
  room.damping.clear();
  for (const Element* e : elements) e->forces(now, room);
  for (const Block& b : model.blocks)
    for (int k = 0; !b.free && k < b.dof; ++k) out.add(Work::moved, -room.force[at(b.v + k)] * now.v[at(b.v + k)]);
}

}  // namespace

Doings doingsOf(const RowSet& rows, Elements elements, const Instant& now, std::span<const double> force,
                Forces& room) {
  Doings out;
  const Model& model = now.model();
  for (const Row& row : rows.rows) {
    const double pull = force[at(row.slot)];
    if (pull == 0.0) continue;
    if (model.led) out.add(Work::moved, -pull * ledRate(rows, row, model, now.v));
    const bool damps = row.level == Level::position && row.damping > 0.0;
    if (row.work == Work::none && !damps) continue;
    const double rate = rowRate(rows, row, now.moving(), now.v);
    if (row.work != Work::none) {
      out.add(row.work, pull * rate);
      continue;
    }
    const double grows = rate - row.speed;
    out.add(Work::damping, (row.compliance > 0.0 ? -row.damping * grows / row.compliance : pull) * grows);
  }
  if (model.led) addTold(model, elements, now, room, out);
  for (const Element* e : elements) e->work(now, force, out);
  return out;
}

void ToldMomentum::begin(const Model& model, const State& before) {
  p_.clear();
  v_.clear();
  if (!model.led || !model.hasElementMass) return;
  p_ = before.p;
  v_ = before.v;
}

void ToldMomentum::book(const Model& model, State& after) const {
  if (p_.empty()) return;
  double joules = 0.0;
  for (const Block& b : model.blocks)
    for (int i = b.v; !b.free && i < b.v + b.dof; ++i)
      joules += 0.5 * (v_[at(i)] + after.v[at(i)]) * (after.p[at(i)] - p_[at(i)]);
  after.accounts.done[placeOf(Work::moved)] += joules;
}

void book(const Doings& doings, bool second, double h, Accounts& accounts) {
  for (std::size_t k = 0; k < workKinds; ++k) {
    const bool counts = second && !(k == placeOf(Work::damping) && accounts.power[k] > 0.0);
    const double before = counts ? accounts.power[k] : doings.power[k];
    accounts.done[k] += 0.5 * h * (before + doings.power[k]) + doings.done[k];
  }
  accounts.power = doings.power;
}

void goOn(const Doings& doings, Accounts& accounts) {
  accounts.power = doings.power;
  accounts.power[placeOf(Work::damping)] = overSoon;
}

void bookCatches(const RowSet& rows, const Model& model, std::span<const double> force, std::span<const double> before,
                 std::span<const double> after, double h, Accounts& accounts) {
  for (const Row& row : rows.rows) {
    if (row.work != Work::none || !row.bounded() || row.compliance > 0.0 || row.level != Level::position) continue;
    const double pull = force[at(row.slot)];
    if (pull == 0.0 || !comesTaut(rows, row, model.blocks, before)) continue;
    const double rate = rowRate(rows, row, model.blocks, before) + rowRate(rows, row, model.blocks, after);
    accounts.done[placeOf(Work::impacts)] += 0.5 * h * pull * rate;
  }
}

void bookBlow(const RowSet& rows, const Model& model, std::span<const double> impulse, std::span<const double> before,
              std::span<const double> after, Accounts& accounts) {
  for (const Row& row : rows.rows) {
    const double blow = impulse[at(row.slot)];
    if (blow == 0.0 || (row.work == Work::none && row.compliance > 0.0)) continue;
    const double rate = 0.5 * (rowRate(rows, row, model.blocks, before) + rowRate(rows, row, model.blocks, after));
    const double led = model.led ? ledRate(rows, row, model, after) : 0.0;
    accounts.done[placeOf(Work::moved)] -= blow * led;
    if (row.work != Work::none) {
      accounts.done[placeOf(row.work)] += blow * rate;
      continue;
    }
    const double told = row.level == Level::position ? row.speed : 0.0;
    accounts.done[placeOf(Work::moved)] += blow * told;
    accounts.done[placeOf(Work::impacts)] += blow * (rate - told);
  }
}

}  // namespace reeve
