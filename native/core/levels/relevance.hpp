// Not asking: which components can matter to one temporal operator.
//
// First by labels alone (core/formula/covers.hpp). Then, where few nodes use a child, by *refinement*: the
// child's values with as few exits true as there can be, and with as many, bound those under every
// context. Where they agree at all nodes that use it, no context is needed.
//
// Invariants:
//   N1  uses_child(i, c): some node of component c may need the value of child i. Elsewhere either value of
//       the child gives the same result.
//   N2  needs_context(i, c): in c, or in a component it calls, the value that is used depends on the context.
//       Closed over callers, since a callee's context is read off the caller's values.
//   N3  relevant(c): in c, or in a component it calls, phi2 may be true or phi1 false (EU), phi false (EG).
//       In an irrelevant component every run can do what it could without any formula.
//   N5  of a path formula, unusual(c) has the leaves that may have another value than usual in c or in a component
//       it calls; may_end(c): under `stop`, a run may end there.
//   N4  refinement is used only where the child's own operands need no context.
#pragma once

#include "core/formula/covers.hpp"
#include "core/formula/query.hpp"

namespace pigro::core {

// A set of components: all of them, or those that were inserted.
class ComponentSet {
 public:
  bool has(Id component) const { return all_ || (bits_ && test_bit(bits_.get(), static_cast<std::size_t>(component))); }
  void set_all() { all_ = true; }
  bool all() const { return all_; }
  // True if it was not in the set.
  bool insert(const Model& model, Id component) {
    if (!bits_) bits_ = make_zeroed<Word>(words_for(static_cast<std::size_t>(model.components())));
    return insert_bit(bits_.get(), static_cast<std::size_t>(component));
  }
  // Adds these components and all callers of callers.
  void insert_with_callers(const Model& model, std::vector<Id> components);

 private:
  bool all_ = false;
  Zeroed<Word> bits_;
};

// Few nodes are in the cover: it pays to look at the components of all of them beforehand.
bool is_sparse(const Query& query, const Cover& cover);

// What a level tells about its programs, for refinement.
class RefinementSource {
 public:
  virtual ~RefinementSource() = default;
  // The child's values need no context of the child's own children there (N4).
  virtual bool context_free(std::size_t child, Id component) = 0;
  // Of the given nodes (bits), those at which the child's value depends on the context.
  virtual bool depends_on_context(std::size_t child, Id component, const Word* nodes) = 0;
  // The program is `value` at some node of the component. Needs: the children in `asked` are settled there.
  virtual bool takes(const Program& program, bool value, Id component, const std::vector<bool>& asked) = 0;
};

// Per child of the level: the nodes at which labels let the level's programs depend on it.
std::vector<Cover> covers_of_children(const LevelSpec& spec, const std::vector<std::int64_t>& weights);

class Relevance {
 public:
  Relevance(Query& query, const LevelSpec& spec, RefinementSource& source);

  bool uses_child(std::size_t child, Id component) const { return uses_child_[child].has(component); }
  bool needs_context(std::size_t child, Id component) const { return needs_context_[child].has(component); }
  bool relevant(Id component) const { return relevant_.has(component); }
  // As bits. All bits where there are too many leaves.
  Word unusual(Id component) const {
    Word found = 0;
    for (std::size_t i = 0; i < unusual_.size(); ++i) found |= Word{unusual_[i].has(component)} << i;
    return relevant_.all() ? ~Word{0} : found;
  }
  bool may_end(Id component) const { return ends_.has(component); }

 private:
  struct Found {
    Cover cover;
    std::vector<Id> components; // with a node of the cover
  };

  // The components with a node of the cover at which the program is evaluated.
  Found find(ComponentSet& components, Query& query, Cover cover, bool at_calls);
  void find_uses(Query& query, std::size_t child, Cover cover, bool at_calls, RefinementSource& source);
  void find_relevant(Query& query, const LevelSpec& spec, const std::vector<ProgramCovers>& covers,
                     RefinementSource& source);
  void find_unusual(Query& query, const std::vector<ProgramCovers>& covers);
  void find_ends(Query& query);

  std::vector<ComponentSet> uses_child_, needs_context_, unsettled_;
  ComponentSet relevant_;
  std::vector<ComponentSet> unusual_; // by leaf
  ComponentSet ends_;
};

} // namespace pigro::core
