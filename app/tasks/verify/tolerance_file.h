#pragma once

#include "app/tasks/verify/verify_settings.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

namespace et::tasks {

/// Tolerances of single files (docs/how_to/verify_outputs.md): a JSON list of {"file": "ops/*.bpte", "rtol":
/// 1e-4, "atol": 1e-5, "dtypes": {"int8": {"atol": 1}}}, with "steps", "sqnr", "cosine" and "top1" for
/// outputs as a whole, or an object that contains such lists. A name matches every file whose path ends with
/// it, by components;
/// `*`, `?` and `[…]` are those of fnmatch(3), and `*` also matches slashes.
class ToleranceFile {
  public:
    /// Errors: Io, Format (invalid JSON, no entry with a setting, an invalid number).
    [[nodiscard]] static core::Result<ToleranceFile> open(const std::filesystem::path& path);
    [[nodiscard]] static core::Result<ToleranceFile> parse(std::string_view json);

    /// Settings for `file`: the values of all its entries are placed before those of the command line, so
    /// that the command line wins over entries, and later entries over earlier ones. Errors: those of
    /// parseTolerances().
    [[nodiscard]] core::Result<VerifySettings> settingsFor(const std::filesystem::path& file,
                                                           const VerifySettings& settings) const;

  private:
    struct Entry {
        std::string pattern;
        std::vector<std::string> relative;  ///< in the syntax of --rtol
        std::vector<std::string> absolute;
        AskedLimits limits;
    };

    void index();

    std::vector<Entry> entries;
    std::unordered_multimap<std::string, std::size_t> byName;  ///< entries whose last component has no
                                                               ///< wildcard
    std::vector<std::size_t> patterns;                         ///< all others

    friend class ToleranceReader;
};

}  // namespace et::tasks
