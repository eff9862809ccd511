#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace et::studio {

/// Options of a run.
struct RunRequest {
    enum class Kind : std::uint8_t {
        Run,    ///< et-inspect run: outputs, and a trace
        Bench,  ///< et-inspect bench: times only
    };
    Kind kind = Kind::Run;
    QString target;               ///< name or address of a device; empty: this machine
    std::filesystem::path model;  ///< program or bundled program
    std::filesystem::path tensorData;
    std::filesystem::path record;  ///< for inputs, handles and emulation; empty: not used
    QString method;                ///< empty: the default method
    QStringList inputs;            ///< values of --input; empty: those of the case
    std::optional<int> testCase;   ///< case of a bundled program
    int seed = 0;
    int threads = 1;
    int warmup = 0;
    int iterations = 1;
    int timeoutSeconds = 0;  ///< 0: none
    bool trace = true;
    bool memory = true;  ///< record allocations in the trace
    QString debugLevel;  ///< "outputs", "intermediates"; empty: no values
    QString taps;        ///< "all", or a regular expression; empty: none
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
