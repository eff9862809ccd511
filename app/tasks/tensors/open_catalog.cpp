#include "app/tasks/tensors/open_catalog.h"

#include "backends/builtin.h"

#include <utility>

namespace et::tasks {

std::shared_ptr<const inspector::TensorCatalog> catalogOf(
    const std::shared_ptr<const inspector::Session>& session) {
    if (session == nullptr) {
        return nullptr;
    }
    inspector::CatalogSources sources{.session = session, .backends = backends::describable()};
    if (!session->files.tensorData.empty()) {
        if (auto data = program::TensorData::open(session->files.tensorData)) {
            sources.tensorData.push_back(*std::move(data));
        } else {
            sources.problems.push_back(data.error().toString());
        }
    }
    return inspector::TensorCatalog::build(std::move(sources));
}

}  // namespace et::tasks
