#pragma once

#include "app/output/cells.h"
#include "inspector/events/event_rows.h"
#include "inspector/events/slices.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace et::output {

/// Kinds of events, each with its own colour; numbered as in model.js.
enum class PageKind : std::uint8_t { Runtime, Kernel, DelegateCall, Delegated };
[[nodiscard]] PageKind pageKind(const inspector::Event& event);

/// For each row, whether it is an OPERATOR_CALL whose kernel has a row too.
[[nodiscard]] std::vector<bool> wrapperRows(const inspector::events::EventRows& events);

/// The cells of a list, separated by commas.
[[nodiscard]] std::string listText(const List& cells);

/// Maps samples of a trace to events of the time tree.
class PageEvents {
  public:
    explicit PageEvents(const inspector::EventBlocks& blocks);

    [[nodiscard]] const std::vector<inspector::events::EventRow>& rows() const { return tree.rows; }
    /// Index into rows(); nothing for an event that was repeated within its run.
    [[nodiscard]] std::optional<std::size_t> rowOf(etdump::EventIndex sample) const;
    /// Drops each OPERATOR_CALL whose kernel has a row too: it would be drawn above the kernel with the same
    /// name.
    void leaveOutWrappers(std::vector<inspector::events::Slice>& slices) const;

  private:
    inspector::events::EventRows tree;
    std::unordered_map<etdump::EventIndex, std::size_t> bySample;
    std::vector<bool> wrappers;  ///< by row
};

}  // namespace et::output
