#include "backends/stored_constants.h"

#include "backends/xnnpack/delegate/delegate.h"
#include "backends/xnnpack/delegate/stored_constants.h"

namespace et::backends {

std::vector<StoredConstant> storedConstants(const program::Delegate& delegate,
                                            const executor::NamedDataSource& namedData) {
    if (delegate.backend == xnnpack::backend().name()) {
        return xnnpack::storedConstants(delegate.payload, namedData);
    }
    return {};
}

}  // namespace et::backends
