#pragma once

#include "runtime/core/mapped_file.h"

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace et::inspector {

/// SHA-256, fed piece by piece: libnettle's, which takes the CPU's own instructions for it where there are
/// some. Definition: FIPS 180-4, "Secure Hash Standard".
class Sha256 {
  public:
    Sha256();

    Sha256& add(core::Bytes bytes);
    Sha256& add(std::string_view text);
    /// 64 hexadecimal digits. Nothing may be added behind it.
    [[nodiscard]] std::string hex();

  private:
    sha256_ctx state;
};

[[nodiscard]] std::string sha256(core::Bytes bytes);

}  // namespace et::inspector
