#pragma once

#include "inspector/events/event_rows.h"
#include "inspector/events/slices.h"
#include "inspector/format/table.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace et::app {

/// Kinds of events, each with a colour of its own, as model.js numbers them.
enum class PageKind : std::uint8_t { Runtime, Kernel, DelegateCall, Delegated };
[[nodiscard]] PageKind pageKind(const inspector::Event& event);

/// By the rows of these events: whether each is an OPERATOR_CALL whose kernel has a row too.
[[nodiscard]] std::vector<bool> wrapperRows(const inspector::report::EventRows& events);

/// Texts of a list's cells with commas between.
[[nodiscard]] std::string listText(const inspector::report::List& cells);

/// Which event of the tree of time a sample of a trace is of.
class PageEvents {
  public:
    explicit PageEvents(const inspector::EventBlocks& blocks);

    [[nodiscard]] const std::vector<inspector::report::EventRow>& rows() const { return tree.rows; }
    /// Index into rows(); nothing for an event that was repeated within its run.
    [[nodiscard]] std::optional<std::size_t> rowOf(etdump::EventIndex sample) const;
    /// Leaves out each OPERATOR_CALL whose kernel has a row too: it would be drawn above it with the same
    /// name.
    void leaveOutWrappers(std::vector<inspector::report::Slice>& slices) const;

  private:
    inspector::report::EventRows tree;
    std::unordered_map<etdump::EventIndex, std::size_t> bySample;
    std::vector<bool> wrappers;  ///< by row
};

}  // namespace et::app
