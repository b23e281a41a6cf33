// What a called entry can do without any formula: which exits it reaches, whether it can run forever.
//
// Computed when first asked for, once a model, shared by all formulas and threads.
#pragma once

#include <memory>
#include <mutex>

#include "core/query.hpp"
#include "core/summary.hpp"

namespace pigro::core {

class UntilLevel;
class GloballyLevel;

// E [true U false] and EG true.
extern const LevelSpec kReach;
extern const LevelSpec kStay;

class StaticSummaries {
 public:
  explicit StaticSummaries(const Model& model);
  ~StaticSummaries();

  // E [true U false] from the called entry: never hit; the exits it reaches. Ticks as `asker` does.
  Summary reach(Id call, Query& asker);
  // EG true from the called entry: hit if some run never returns; else the exits it reaches.
  Summary stay(Id call, Query& asker);

 private:
  template <typename LevelType>
  struct Table;
  template <typename LevelType>
  Summary look_up(Table<LevelType>& table, Id call, Query& asker);

  const Model& model_;
  std::mutex mutex_;
  std::unique_ptr<Table<UntilLevel>> reach_;
  std::unique_ptr<Table<UntilLevel>> measured_; // as reach_, with lengths: for shortest paths
  std::unique_ptr<Table<GloballyLevel>> stay_;
};

} // namespace pigro::core
