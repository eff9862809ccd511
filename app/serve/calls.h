#pragma once

#include "app/serve/object_table.h"
#include "app/serve/protocol.h"
#include "app/serve/value_codec.h"

#include <memory>
#include <vector>

namespace et::serve {

/// Decodes calls, calls their functions and encodes the results.
class Calls {
  public:
    explicit Calls(ObjectTable& table) : objects(table) {}

    struct Answer {
        FrameKind kind = FrameKind::Result;
        Message message;
        std::vector<std::uint64_t> added;  ///< objects that the result refers to
    };
    /// Answers the payload of a call. Never throws; the answer to a malformed call is an exception.
    [[nodiscard]] Answer answer(core::Bytes payload, const std::shared_ptr<const SharedMemory>& arena,
                                bool sharesMemory);

    /// Reads the numbers at the start of a payload, and removes their objects.
    [[nodiscard]] core::Result<> release(wire::Decoder& in);

  private:
    [[nodiscard]] core::Result<Value> call(core::Bytes payload,
                                           const std::shared_ptr<const SharedMemory>& arena);

    ObjectTable& objects;
};

}  // namespace et::serve
