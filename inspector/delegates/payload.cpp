#include "inspector/delegates/payload.h"

#include "runtime/executor/module_data.h"

#include <fmt/format.h>

namespace et::inspector {

core::Result<DelegatePayload> findPayload(
    const program::Program& program, const program::Method& method, std::size_t index,
    std::span<const std::shared_ptr<const program::TensorData>> tensorData) {
    const std::size_t count = method.delegates.size();
    if (index >= count) {
        return core::fail(core::ErrorCode::NotFound,
                          fmt::format("no delegate {}: {} has {}", index, core::printable(method.name),
                                      count == 0 ? "none" : fmt::format("{}, numbered from 0", count)));
    }
    const program::Delegate& delegate = method.delegates[index];
    const NamedBlobs blobs(program, tensorData);
    return DelegatePayload{
        .delegate = &delegate,
        .contents = backends::listedContents(delegate, executor::ModuleData(program, tensorData)),
        .namedData = blobs.usedBy(delegate, method.name),
        .missing = blobs.missingFor(delegate, method.name)};
}

}  // namespace et::inspector
