#include "tests/tasks/quantize_outputs.h"

#include "app/tasks/model/model.h"
#include "inspector/tensor_files/tensor_file.h"
#include "tests/support/shared_data.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

namespace et::tasks {

namespace fs = std::filesystem;

fs::path quantFolder(std::string_view model) {
    return test::sharedData() / "quant" / model;
}

std::vector<float> outputsOf(const fs::path& program, const fs::path& inputs) {
    std::vector<float> outputs;
    const auto model = Model::open(program, {}, nullptr);
    const auto read = inspector::readTensorFile(inputs, std::nullopt, 1 << 30);
    if (!model || !read) {
        ADD_FAILURE() << (model ? read.error() : model.error()).toString();
        return outputs;
    }
    const inspector::HostTensor& rows = read->front();
    const auto count = static_cast<std::size_t>(rows.sizes.front());
    const std::size_t bytes = rows.data.size() / count;
    std::vector<std::int64_t> sizes = rows.sizes;
    sizes.front() = 1;
    for (std::size_t i = 0; i < count; ++i) {
        const executor::TensorInput input{
            .dtype = rows.dtype, .sizes = sizes, .data = std::span(rows.data).subspan(i * bytes, bytes)};
        EXPECT_TRUE((*model)->method->setInput(0, input));
        EXPECT_TRUE((*model)->method->execute());
        const auto& output = *(*model)->method->output(0).as<core::Tensor>();
        outputs.insert(outputs.end(), output.data<float>(), output.data<float>() + output.numel());
    }
    return outputs;
}

double decibelsOf(std::span<const float> outputs, std::span<const float> reference) {
    double signal = 0;
    double noise = 0;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto expected = static_cast<double>(reference[i]);
        signal += expected * expected;
        noise += std::pow(static_cast<double>(outputs[i]) - expected, 2);
    }
    return 10 * std::log10(signal / noise);
}

std::vector<float> arrayOf(const fs::path& file, std::size_t index) {
    const auto read = inspector::readTensorFile(file, std::nullopt, 1 << 30).value();
    std::vector<float> numbers(read[index].data.size() / sizeof(float));
    std::memcpy(numbers.data(), read[index].data.data(), read[index].data.size());
    return numbers;
}

}  // namespace et::tasks
