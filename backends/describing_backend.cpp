#include "backends/describing_backend.h"

#include "backends/known_backends.h"

#include <fmt/format.h>

namespace et::backends {

core::Result<std::unique_ptr<executor::LoadedDelegate>> DescribingBackend::load(
    const executor::DelegateSource&) const {
    return core::fail(core::ErrorCode::Unsupported,
                      fmt::format("delegates of \"{}\" do not run here ({})", id, deviceOf(id)));
}

}  // namespace et::backends
