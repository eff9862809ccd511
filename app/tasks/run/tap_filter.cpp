#include "app/tasks/run/tap_filter.h"

#include "inspector/format/text_filter.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace et::tasks {
namespace {

using inspector::format::TextFilter;

struct Filters {
    TextFilter part;
    TextFilter whole;

    [[nodiscard]] bool match(const core::TapSite& site) const {
        return part.matches(site.nodeKind) || whole.matches(fmt::format("{}", site.value)) ||
               (site.debugHandle && whole.matches(fmt::format("handle:{}", *site.debugHandle)));
    }
};

}  // namespace

core::Result<std::function<bool(const core::TapSite&)>> tapFilter(const std::string& text) {
    if (text == "all") {
        return [](const core::TapSite&) { return true; };
    }
    ET_ASSIGN(TextFilter part, TextFilter::make(text));
    ET_ASSIGN(TextFilter whole, TextFilter::make(fmt::format("^(?:{})$", text)));
    return [filters = std::make_shared<const Filters>(std::move(part), std::move(whole))](
               const core::TapSite& site) { return filters->match(site); };
}

}  // namespace et::tasks
