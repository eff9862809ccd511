#pragma once

#include "runtime/core/mapped_file.h"

#include <cstddef>

namespace et::backends::nested {

/// Bytes of a payload that was copied to be parsed.
class CopiedPayload {
  public:
    CopiedPayload(core::Bytes from, core::Bytes to) : payload(from), copy(to) {}

    /// The bytes of the payload at the place of `bytes` in the copy.
    [[nodiscard]] core::Bytes original(core::Bytes bytes) const {
        return bytes.empty()
                   ? core::Bytes()
                   : payload.subspan(static_cast<std::size_t>(bytes.data() - copy.data()), bytes.size());
    }

    [[nodiscard]] std::size_t size() const { return payload.size(); }

  private:
    core::Bytes payload;
    core::Bytes copy;
};

}  // namespace et::backends::nested
