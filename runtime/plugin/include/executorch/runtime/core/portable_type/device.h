#pragma once

#include <cstddef>
#include <cstdint>

namespace executorch::runtime::etensor {

enum class DeviceType : int8_t { CPU = 0, CUDA = 1 };
constexpr size_t kNumDeviceTypes = 2;
using DeviceIndex = int8_t;

struct Device final {
    using Type = DeviceType;

    Device(DeviceType type, DeviceIndex index = 0) : kind(type), number(index) {}
    DeviceType type() const noexcept { return kind; }
    DeviceIndex index() const noexcept { return number; }
    bool is_cpu() const noexcept { return kind == DeviceType::CPU; }
    bool operator==(const Device& other) const noexcept {
        return kind == other.kind && number == other.number;
    }
    bool operator!=(const Device& other) const noexcept { return !(*this == other); }

  private:
    DeviceType kind;
    DeviceIndex number = 0;
};

}  // namespace executorch::runtime::etensor

namespace torch::executor {
using ::executorch::runtime::etensor::Device;
using ::executorch::runtime::etensor::DeviceType;
}  // namespace torch::executor
