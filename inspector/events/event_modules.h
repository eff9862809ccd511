#pragma once

#include "etrecord/record.h"
#include "inspector/events/event_rows.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector::events {

/// The modules of every event, including events without nodes in the record: views, copies at the end of a
/// method, cache updates, a delegate's work between its operators.
///
/// A module's calls are contiguous, so an event between two operators of a module runs in it too: such an
/// event gets the modules shared by the operators before and after it. At the beginning and the end of a
/// method that is the root; in a delegate, the modules common to the whole delegate.
class EventModules {
  public:
    explicit EventModules(const EventRows& rows);

    /// Outermost first, "" being the root; borrowed from the record. Empty if the block has no record, none
    /// of its nodes is in a module, or the event does not belong to an instruction.
    [[nodiscard]] std::optional<std::span<const etrecord::ModuleFrame>> of(std::size_t row) const {
        return modules[row];
    }

  private:
    std::vector<std::optional<std::span<const etrecord::ModuleFrame>>> modules;  ///< one per row
};

}  // namespace et::inspector::events
