#include "backends/tosa/lower/record.h"

#include "backends/tosa/lower/graph_maker.h"
#include "backends/tosa/read_payload.h"
#include "etrecord/record_maker.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace et::backends::tosa {

using core::Result;

Result<std::shared_ptr<const etrecord::Record>> recordOf(const Payload& payload) {
    const Block& block = payload.blocks.front();
    if (std::ranges::any_of(block.tensors, &Tensor::isVariable)) {
        return core::fail(core::ErrorCode::Unsupported, "variables cannot be computed here");
    }
    GraphMaker maker(block);
    ET_TRY(maker.addAll());
    maker.graph().dialect = "EDGE";
    std::vector<etrecord::MethodContent> methods(1);
    methods[0].method = "forward";
    methods[0].graph = std::move(maker.graph());
    methods[0].tensors = maker.takeConstants();
    return etrecord::makeRecord(methods, "TOSA payload", maker.takeOwners());
}

Result<std::shared_ptr<const etrecord::Record>> recordOf(const program::Delegate& delegate,
                                                         const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const Payload payload, readPayload(delegate.payload));
    return recordOf(payload);
}

}  // namespace et::backends::tosa
