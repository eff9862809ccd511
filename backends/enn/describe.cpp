#include "backends/enn/describe.h"

#include "backends/opaque_code.h"

namespace et::backends::enn {

using core::Bytes;
using core::Result;

Result<core::ModelGraph> describe(Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    return describeOpaque(payload, {.kind = "ENN model", .codeName = "compiled model", .code = payload});
}

Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                      PayloadContents& contents) {
    contents.described.addOpaque(delegate.payload);
    contents.parts = {{.name = "model.nnc", .data = delegate.payload}};
    return {};
}

}  // namespace et::backends::enn
