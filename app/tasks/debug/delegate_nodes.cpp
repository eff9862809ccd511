#include "app/tasks/debug/detail/delegate_nodes.h"

#include "app/tasks/debug/stored_value.h"

#include <utility>

namespace et::tasks {

void DelegateNodeTracer::tapSite(const core::TapSite& next) {
    site = {.kind = std::string(next.nodeKind), .id = next.value, .handle = next.debugHandle};
}

void DelegateNodeTracer::tap(const core::TraceIds& /*ids*/, core::Value& value) {
    auto copied = storedValue(value);
    if (auto* tensor = std::get_if<inspector::HostTensor>(&copied)) {
        site.content = std::make_shared<const inspector::HostTensor>(std::move(*tensor));
        view.values.push_back(std::exchange(site, {}));
    }
}

}  // namespace et::tasks
