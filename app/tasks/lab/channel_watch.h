#pragma once

#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What one channel of a value held.
struct ChannelNumbers {
    backends::xnnpack::ValueRange range{};  ///< with 0 in it
    double sum = 0;
    std::uint64_t count = 0;

    [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

/// Collects the numbers of channels of values while a graph runs.
class ChannelWatch {
  public:
    /// A float32 value whose channels are its dimension 1 (`images`), else the last one.
    void add(std::string_view value, bool images) { watched[std::string(value)].images = images; }
    [[nodiscard]] backends::reference::NodeObserver observer();
    /// None where the value was not seen.
    [[nodiscard]] const std::vector<ChannelNumbers>& of(std::string_view value) const;

  private:
    struct Watched {
        bool images = false;
        std::vector<ChannelNumbers> channels{};
    };
    static void note(Watched& into, const core::Tensor& tensor);

    std::map<std::string, Watched, std::less<>> watched;
};

}  // namespace et::app
