#pragma once

#include "app/tasks/program_file.h"
#include "inspector/delegates/delegates.h"
#include "inspector/format/table.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// Whose delegates to look at, and beside what.
struct DelegatesQuestion {
    std::filesystem::path model;                    ///< a program or a bundled program
    std::vector<std::filesystem::path> tensorData;  ///< weights outside of it
    inspector::SessionFiles beside;                 ///< a record and a trace; either may be missing
    std::string method;                             ///< empty: all, with a trace the one that it ran
    inspector::TimeScale clock = inspector::TimeScale::Nanoseconds;  ///< unit of the trace
};

/// What a program hands to delegates, and where its operators run, in all the forms that it is shown in.
class DelegatesPage {
  public:
    /// Errors: those of the files, and of delegatesOf().
    [[nodiscard]] static core::Result<DelegatesPage> open(const DelegatesQuestion& question);

    /// Files that contradict the program, and what the trace lacks.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return report.warnings; }
    /// For people. `nodes`: every node and value inside; `all`: no list is shortened; `width` in columns.
    [[nodiscard]] std::string text(bool nodes, bool all, std::size_t width) const;
    /// As docs/json.md has it.
    [[nodiscard]] std::string json(bool nodes) const;

  private:
    [[nodiscard]] inspector::report::Dict info(bool nodes, bool forPeople, bool shorten) const;

    DelegatesQuestion asked;
    ProgramFile file;
    std::vector<std::shared_ptr<const program::TensorData>> data;
    std::shared_ptr<const inspector::Session> session;
    inspector::DelegationReport report;
};

}  // namespace et::app
