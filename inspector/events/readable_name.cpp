#include "inspector/events/readable_name.h"

#include "inspector/events/event_fields.h"
#include "inspector/names/operator_names.h"

#include <array>
#include <string_view>
#include <utility>
#include <variant>

namespace et::inspector::report {
namespace {

constexpr std::array frameworkNames{
    std::pair<std::string_view, std::string_view>{detail::methodExecute, "Inference"},
    std::pair<std::string_view, std::string_view>{detail::loadMethod, "Load"},
    std::pair<std::string_view, std::string_view>{detail::methodInit, "Initialize"},
};

std::string_view plainName(const Event& event) {
    for (const auto& [name, plain] : frameworkNames) {
        if (event.name == name) {
            return plain;
        }
    }
    if (event.name == detail::delegateCall && !event.backend.empty()) {
        return event.backend;
    }
    const std::string_view kernel = event.delegated ? std::string_view() : detail::kernelOperator(event.name);
    return kernel.empty() ? event.name : kernel;
}

}  // namespace

std::string readableName(const Block& block, const Event& event) {
    std::string name(plainName(event));
    const Cell module = commonModule(block, event);
    const auto* const path = std::get_if<std::string>(&module);
    if (path != nullptr && !path->empty() && event.name != detail::delegateCall) {
        name += " · " + *path;
    }
    return name;
}

}  // namespace et::inspector::report
