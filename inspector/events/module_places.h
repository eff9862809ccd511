#pragma once

#include "etrecord/record.h"
#include "inspector/events/event_rows.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector::report {

/// In which modules every event runs, those included that the record has no nodes for: views, copies at the
/// end of a method, updates of caches, what a delegate does between its operators.
///
/// A module's calls are in one piece, so what runs between two operators of a module runs in it as well:
/// such an event is in the modules that the operators before and after it share. At the beginning and the end
/// of a method that is the root, of a delegate what all of the delegate is in.
class ModulePlaces {
  public:
    explicit ModulePlaces(const EventRows& rows);

    /// Outermost first, "" being the root; borrowed from the record. Nothing: the block has no record, or
    /// none of its nodes is in a module, or the event is none of an instruction.
    [[nodiscard]] std::optional<std::span<const etrecord::ModuleFrame>> of(std::size_t row) const {
        return modules[row];
    }

  private:
    std::vector<std::optional<std::span<const etrecord::ModuleFrame>>> modules;  ///< one a row
};

}  // namespace et::inspector::report
