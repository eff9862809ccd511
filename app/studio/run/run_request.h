#pragma once

#include "app/tasks/run/run_settings.h"

#include <QStringList>

#include <cstdint>
#include <filesystem>

namespace et::studio {

/// Options of a run.
struct RunRequest {
    enum class Kind : std::uint8_t {
        Run,    ///< et-inspect run: outputs, and a trace
        Bench,  ///< et-inspect bench: times only
    };
    Kind kind = Kind::Run;
    tasks::RunSettings settings;  ///< without paths of outputs
    bool trace = true;

    /// True if values of operators are recorded.
    [[nodiscard]] bool hasValues() const {
        return trace && (settings.trace.debugLevel || !settings.trace.taps.empty());
    }
};

/// Output paths of a run.
struct RunFiles {
    std::filesystem::path folder;  ///< outputs and run.json; empty: not yet known
    std::filesystem::path trace;
    std::filesystem::path debugBuffer;
};

/// Returns the arguments of et-inspect for a request, starting with the command.
[[nodiscard]] QStringList argumentsOf(const RunRequest& request, const RunFiles& files);

}  // namespace et::studio
