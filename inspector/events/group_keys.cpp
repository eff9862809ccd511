#include "inspector/events/group_keys.h"

namespace et::inspector::events {
namespace {

bool isNumber(std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string ModuleRollUp::operator()(std::string_view module) const {
    std::string out;
    for (std::size_t parts = 0; !module.empty() && (depth == 0 || parts < depth); ++parts) {
        const std::string_view part = module.substr(0, module.find('.'));
        out += parts == 0 ? "" : ".";
        out += mergeLayers && isNumber(part) ? std::string_view("*") : part;
        module.remove_prefix(std::min(module.size(), part.size() + 1));
    }
    return out;
}

}  // namespace et::inspector::events
