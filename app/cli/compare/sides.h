#pragma once

#include "app/tasks/compare/measured_program.h"
#include "inspector/comparison/measurement.h"
#include "inspector/format/time_scale.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace et::cli {

/// Where baselines are, as the command line says it.
struct StoreOptions {
    std::filesystem::path path;  ///< empty: the default

    /// Errors: NotFound (no home).
    [[nodiscard]] core::Result<std::filesystem::path> file() const;
};
void addStoreOption(CLI::App& app, StoreOptions& options);

enum class SideKind : std::uint8_t { Trace, Program, Baseline };

/// What a word on the command line stands for.
struct Side {
    SideKind kind = SideKind::Trace;
    std::string word;              ///< a path, or the name of a baseline
    std::filesystem::path record;  ///< an ETRecord that goes with it; empty: none
};

/// A file where there is one of that path, else a baseline. Errors: Io, Format (a file of another kind).
[[nodiscard]] core::Result<Side> findSide(const std::string& word);

/// What a trace measured. Errors: those of the readers.
[[nodiscard]] core::Result<inspector::Measurement> openTrace(const Side& side, inspector::TimeScale scale,
                                                             const std::string& method);
/// Errors: NotFound (neither a file nor a baseline), those of the store.
[[nodiscard]] core::Result<inspector::Measurement> openBaseline(const Side& side, const StoreOptions& store);

}  // namespace et::cli
