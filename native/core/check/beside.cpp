#include "core/check/beside.hpp"

#include <algorithm>

namespace pigro::core {

namespace {

struct NotNeeded {};

// To its check such a level is a part of the boolean top, which counts no contexts. It is there until the process is
// gone: threads may search while it ends.
const LevelSpec& kNoOperator = *new LevelSpec;

std::vector<Id> labels_read_by(const LevelSpec& spec, std::span<const Id> atom_labels) {
  std::vector<Id> labels(atom_labels.size(), kNone);
  for (const Program* program : programs_of(spec)) {
    for (const Step& step : program->steps) {
      if (step.kind == Step::Kind::atom) labels[step.left] = atom_labels[step.left];
    }
  }
  return labels;
}

// The child that the top asks for whatever others say, or kNone.
Id asked_first(const Program& top) {
  const Step* at = &top.steps.back();
  while (at->kind >= Step::Kind::negation) at = &top.steps[at->left];
  return at->kind == Step::Kind::child ? at->left : kNone;
}

} // namespace

std::vector<bool> operands_beside(const Query& query, const std::vector<LevelSpec>& specs, std::size_t starts,
                                  std::size_t spare) {
  std::vector<bool> beside(specs.size(), false);
  const Policy& policy = query.policy;
  if (starts != 1 || policy.everything || policy.certify || policy.tentative) return beside;
  if (policy.functions == Functions::at_once) return beside;
  const LevelSpec& top = specs.back();
  const Id first = asked_first(top.first);
  for (std::size_t i = 0; i < top.children.size() && spare > 0; ++i) {
    const auto child = static_cast<std::size_t>(top.children[i]);
    const bool over_labels = specs[child].op != Op::exists && specs[child].children.empty();
    const bool read_elsewhere = std::ranges::any_of(specs.begin(), specs.end() - 1, [&](const LevelSpec& spec) {
      return std::ranges::count(spec.children, child) > 0;
    });
    if (static_cast<Id>(i) == first || !over_labels || read_elsewhere) continue;
    beside[child] = true;
    --spare;
  }
  return beside;
}

BesideLevel::BesideLevel(Query& query, const LevelSpec& spec, std::span<const Id> atom_labels, Id start,
                         const SpareThreads& spare, std::atomic<bool>& stop)
    : Level(query, kNoOperator, {}),
      start_(start),
      on_tick_(spare.on_tick),
      stop_(stop),
      thread_([this, &spec, atom_labels] { search(spec, atom_labels); }) {
  assert(spec.children.empty() && spec.op != Op::exists);
}

// On its thread, with memory and counters of its own.
void BesideLevel::search(const LevelSpec& spec, std::span<const Id> atom_labels) {
  bool value = false;
  Counters counters;
  std::exception_ptr failure;
  const auto tick = [this](std::size_t about_to_allocate) {
    if (stop_.load(std::memory_order_relaxed)) throw NotNeeded();
    if (on_tick_) on_tick_(about_to_allocate);
  };
  try {
    tick(0);
    Query own(model_, query_.statics, query_.reachable, labels_read_by(spec, atom_labels), query_.dead_ends,
              query_.policy, tick);
    const std::unique_ptr<Level> level = Level::make(own, spec, {});
    value = level->holds_at(start_);
    counters = own.counters;
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  value_ = value;
  counters_ = counters;
  failure_ = failure;
  done_ = true;
  changed_.notify_one();
}

bool BesideLevel::decide([[maybe_unused]] Id node) {
  assert(node == start_);
  constexpr auto kTick = std::chrono::milliseconds(5);
  std::unique_lock lock(mutex_);
  while (!done_) {
    changed_.wait_for(lock, kTick);
    lock.unlock();
    query_.before_allocating(0); // limits, and Ctrl-C
    lock.lock();
  }
  if (failure_) std::rethrow_exception(failure_);
  query_.counters.contexts += counters_.contexts;
  query_.counters.visited += counters_.visited;
  query_.counters.passes += counters_.passes;
  return value_;
}

void BesideLevel::pass(Instance&, Word*) { assert(false); }

} // namespace pigro::core
