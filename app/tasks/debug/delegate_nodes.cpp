#include "app/tasks/debug/detail/delegate_nodes.h"

#include "app/tasks/debug/stored_value.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace et::tasks {

void DelegateNodeTracer::tap(const core::TraceIds& /*ids*/, core::Value& value) {
    struct Content {
        StoredValue tensor;
        std::string kind;
    };
    auto content = std::make_shared<Content>(storedValue(value), std::string(site.nodeKind));
    const auto* const tensor = std::get_if<inspector::HostTensor>(&content->tensor);
    auto shown = tensor == nullptr ? std::nullopt : std::optional(inspector::viewOf(*tensor));
    if (!shown || !*shown) {
        return;
    }
    core::TapSite kept = site;
    kept.nodeKind = content->kind;
    view.values.push_back({.site = kept,
                           .node = view.nodes++,
                           .value = core::Value(core::Value::Kind(core::Boxed<core::Tensor>(**shown))),
                           .owner = std::move(content)});
}

}  // namespace et::tasks
