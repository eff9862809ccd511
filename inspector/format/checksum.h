#pragma once

#include "runtime/core/mapped_file.h"

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace et::inspector::format {

/// Incremental SHA-256 from libnettle, which uses the CPU's instructions for it if available. Definition:
/// FIPS 180-4, "Secure Hash Standard".
class Sha256 {
  public:
    Sha256();

    Sha256& add(core::Bytes bytes);
    Sha256& add(std::string_view text);
    /// 64 hexadecimal digits. No data may be added afterwards.
    [[nodiscard]] std::string hex();

  private:
    sha256_ctx state;
};

[[nodiscard]] std::string sha256(core::Bytes bytes);

}  // namespace et::inspector::format
