#include "app/output/trend/import_text.h"

#include "app/output/cells.h"

#include <fmt/format.h>

#include <cstdint>

namespace et::output {
namespace {

constexpr std::int64_t importSchema = 1;

}  // namespace

std::string importText(const tasks::ImportOutcome& outcome) {
    std::string text = fmt::format("{} file{} imported", outcome.imported, outcome.imported == 1 ? "" : "s");
    if (outcome.known > 0) {
        text += fmt::format(", {} {} already imported", outcome.known, outcome.known == 1 ? "was" : "were");
    }
    if (outcome.broken > 0) {
        text += fmt::format(", {} cannot be read", outcome.broken);
    }
    return text + "\n";
}

std::string importJson(const tasks::ImportOutcome& outcome) {
    return jsonDocument(importSchema, {{"imported", std::uint64_t{outcome.imported}},
                                       {"known", std::uint64_t{outcome.known}},
                                       {"broken", std::uint64_t{outcome.broken}}});
}

}  // namespace et::output
