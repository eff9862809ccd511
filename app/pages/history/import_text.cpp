#include "app/pages/history/import_text.h"

#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace et::app {
namespace {

using inspector::report::Cell;
using inspector::report::Dict;

constexpr std::int64_t importSchema = 1;

}  // namespace

std::string importText(const ImportOutcome& outcome) {
    std::string text = fmt::format("{} file{} imported", outcome.imported, outcome.imported == 1 ? "" : "s");
    if (outcome.known > 0) {
        text += fmt::format(", {} {} there already", outcome.known, outcome.known == 1 ? "was" : "were");
    }
    if (outcome.broken > 0) {
        text += fmt::format(", {} cannot be read", outcome.broken);
    }
    return text + "\n";
}

std::string importJson(const ImportOutcome& outcome) {
    std::string text;
    inspector::report::appendJson(text, Cell(Dict{{"schema", importSchema},
                                                  {"imported", std::uint64_t{outcome.imported}},
                                                  {"known", std::uint64_t{outcome.known}},
                                                  {"broken", std::uint64_t{outcome.broken}}}));
    return text + "\n";
}

}  // namespace et::app
