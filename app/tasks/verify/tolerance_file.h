#pragma once

#include "app/tasks/verify/verify_settings.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace et::app {

/// Tolerances of single files, as docs/verify.md describes them: a JSON list of
/// {"file": "ops/*.bpte", "rtol": 1e-4, "atol": 1e-5, "dtypes": {"int8": {"atol": 1}}}, with "steps", "sqnr",
/// "cosine" and "top1" for outputs as a whole, or an object with such lists in it. A name stands for every
/// file whose path ends in it, folder by folder; `*`, `?` and `[…]` are those of fnmatch(3), a `*` also
/// passes folders.
class ToleranceFile {
  public:
    /// Errors: Io, Format (no JSON, no entry that says anything, a number that is none).
    [[nodiscard]] static core::Result<ToleranceFile> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<ToleranceFile> parse(std::string_view json);

    /// The settings for `file`: what all entries for it say comes before what the command line says, so that
    /// the latter wins, and of two entries the later one. Errors: those of tolerancesOf().
    [[nodiscard]] core::Result<VerifySettings> settingsFor(const std::filesystem::path& file,
                                                           const VerifySettings& settings) const;

  private:
    struct Entry {
        std::string pattern;
        std::vector<std::string> relative;  ///< as --rtol takes it
        std::vector<std::string> absolute;
        AskedLimits limits;
    };

    void index();

    std::vector<Entry> entries;
    std::unordered_multimap<std::string, std::size_t> byName;  ///< entries whose last part is a name as it is
    std::vector<std::size_t> patterns;                         ///< all others

    friend class ToleranceReader;
};

}  // namespace et::app
