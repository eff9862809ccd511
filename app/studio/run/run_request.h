#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <filesystem>
#include <optional>

namespace et::studio {

/// What is asked of a run.
struct RunRequest {
    enum class Kind : std::uint8_t {
        Run,    ///< et-inspect run: outputs, and a trace
        Bench,  ///< et-inspect bench: times alone
    };
    Kind kind = Kind::Run;
    QString target;               ///< name or address of a device; empty: this machine
    std::filesystem::path model;  ///< program or bundled program
    std::filesystem::path tensorData;
    std::filesystem::path record;  ///< for inputs, handles and emulation; empty: not used
    QString method;                ///< empty: the usual one
    QStringList inputs;            ///< of --input; empty: those of the case
    std::optional<int> testCase;   ///< of a bundled program
    int seed = 0;
    int threads = 1;
    int warmup = 0;
    int iterations = 1;
    int timeoutSeconds = 0;  ///< 0: none
    bool trace = true;
    bool memory = true;  ///< the trace has allocations
    QString debugLevel;  ///< "outputs", "intermediates"; empty: no values
    QString taps;        ///< "all", or a regular expression; empty: none
};

/// Where a run leaves its files.
struct RunFiles {
    std::filesystem::path folder;  ///< outputs and run.json; empty: nowhere yet
    std::filesystem::path trace;
    std::filesystem::path debugBuffer;
};

/// The arguments of et-inspect for it, a verb first.
[[nodiscard]] QStringList argumentsOf(const RunRequest& request, const RunFiles& files);

}  // namespace et::studio
