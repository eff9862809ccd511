#pragma once

#include "inspector/generate/encoder_form.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/method.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// Embeddings, row-major; valid until the next call of the encoder.
struct Embeddings {
    core::ScalarType dtype = core::ScalarType::Float;
    std::size_t rows = 0;  ///< positions
    std::size_t size = 0;  ///< numbers per position
    core::Bytes data;

    /// Rows from `first` on.
    [[nodiscard]] Embeddings part(std::size_t first, std::size_t count) const {
        const std::size_t rowBytes = data.size() / rows;
        return {.dtype = dtype,
                .rows = count,
                .size = size,
                .data = data.subspan(first * rowBytes, count * rowBytes)};
    }
};

/// Converts embeddings to another dtype, into `storage` if it differs.
[[nodiscard]] core::Result<Embeddings> convertedTo(core::ScalarType type, const Embeddings& from,
                                                   std::vector<std::byte>& storage);

/// A loaded encoder. Does not allocate between calls after the longest one.
class EncoderRun {
  public:
    /// `encoder` must outlive it. Errors: those of Module::load() and Method::prepare().
    [[nodiscard]] static core::Result<EncoderRun> load(executor::Module& module,
                                                       const EncoderMethod& encoder);

    /// Encodes an image or a sound. Errors: Mismatch (the output is not that of the form), those of Method.
    [[nodiscard]] core::Result<Embeddings> run(const executor::TensorInput& input);
    /// Embeds tokens, in several calls if the method takes fewer.
    [[nodiscard]] core::Result<Embeddings> embed(std::span<const std::uint32_t> tokens);

    [[nodiscard]] executor::Method& method() { return *loaded; }
    [[nodiscard]] const EncoderMethod& form() const { return *shape; }

  private:
    EncoderRun() = default;
    [[nodiscard]] core::Result<Embeddings> embedOnce(std::span<const std::uint32_t> tokens);

    const EncoderMethod* shape = nullptr;
    executor::Method* loaded = nullptr;
    std::vector<std::int64_t> numbers;
    std::vector<std::int32_t> ints;
    std::vector<std::byte> collected;
};

}  // namespace et::inspector
