// What a called entry can do without any formula: which exits it reaches, whether it can run forever.
//
// Computed when first asked for, and then shared by all formulas and threads. No thread waits for another: a search
// that is in use, on another thread or by a caller of whose tick this one is a part, is left alone, and the question is
// answered by a search of one's own. So nothing is locked while a search runs, or when the process forks.
#pragma once

#include <memory>

#include "core/formula/query.hpp"
#include "core/levels/summary.hpp"

namespace pigro::core {

class UntilLevel;
class GloballyLevel;

// E [true U false] and EG true. They are there until the process is gone: threads may search while it ends.
extern const LevelSpec& kReach;
extern const LevelSpec& kStay;

class StaticSummaries {
 public:
  explicit StaticSummaries(const Model& model);
  ~StaticSummaries();

  // E [true U false] from the called entry: never hit. The exits it reaches. Ticks as `asker` does.
  Summary reach(Id call, Query& asker);
  // EG true from the called entry: hit if some run never returns. Otherwise the exits it reaches.
  Summary stay(Id call, Query& asker);

 private:
  template <typename LevelType>
  struct Table;
  template <typename LevelType>
  Summary look_up(Table<LevelType>& table, Id call, Query& asker);

  const Model& model_;
  std::unique_ptr<Table<UntilLevel>> reach_;
  std::unique_ptr<Table<UntilLevel>> measured_; // as reach_, with lengths: for shortest paths
  std::unique_ptr<Table<GloballyLevel>> stay_;
};

} // namespace pigro::core
