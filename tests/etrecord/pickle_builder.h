#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

/// Writes pickle opcodes one by one, so that a pickle can be invalid or hostile.
class PickleBuilder {
  public:
    PickleBuilder() { raw(std::string_view("\x80\x02", 2)); }

    PickleBuilder& raw(std::string_view opcodes);
    PickleBuilder& text(std::string_view value);
    PickleBuilder& integer(std::int32_t value);
    PickleBuilder& long8(std::int64_t value);  ///< LONG1 with 8 bytes
    PickleBuilder& global(std::string_view module, std::string_view name);
    PickleBuilder& put(std::uint8_t key);
    PickleBuilder& get(std::uint8_t key);
    /// A tuple of small integers.
    PickleBuilder& sizes(const std::vector<std::int32_t>& values);
    /// A tensor as written by torch.save(): REDUCE of torch._utils._rebuild_tensor_v2. Without strides:
    /// row-major.
    PickleBuilder& tensor(std::string_view storageClass, std::vector<std::int32_t> shape,
                          std::string_view key = "0", std::vector<std::int32_t> strides = {});
    [[nodiscard]] std::string stop() { return out + "."; }

  private:
    std::string out;
};

/// A torch archive (zip) around a pickle.
[[nodiscard]] std::string torchArchive(const std::string& pickle, const std::string& prefix = "archive");

}  // namespace et::test
