#pragma once

#include "app/output/cells.h"
#include "app/tasks/base/program_file.h"
#include "inspector/delegates/delegates.h"
#include "inspector/format/trace_clock.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::output {

/// Input of DelegatesPage.
struct DelegatesQuery {
    std::filesystem::path model;                    ///< a program or a bundled program
    std::vector<std::filesystem::path> tensorData;  ///< external weights
    inspector::SessionFiles beside;                 ///< a record and a trace, both optional
    std::string method;             ///< empty: all methods, or with a trace the one that it ran
    inspector::TraceClock clock{};  ///< of the trace
};

/// Text and JSON output about a program's delegates and the placement of its operators.
class DelegatesPage {
  public:
    /// Errors: those of opening the files and of delegatesOf().
    [[nodiscard]] static core::Result<DelegatesPage> open(const DelegatesQuery& question);

    /// Files that contradict the program, and data missing from the trace.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return report.warnings; }
    /// Text for a terminal. `nodes`: every node and value inside; `all`: no list is shortened; `width` in
    /// columns.
    [[nodiscard]] std::string text(bool nodes, bool all, std::size_t width) const;
    /// JSON as described in docs/reference/json.md.
    [[nodiscard]] std::string json(bool nodes) const;

  private:
    [[nodiscard]] Dict info(bool nodes, bool forPeople, bool shorten) const;

    DelegatesQuery asked;
    tasks::ProgramFile file;
    std::vector<std::shared_ptr<const program::TensorData>> data;
    std::shared_ptr<const inspector::Session> session;
    inspector::DelegationReport report;
};

}  // namespace et::output
