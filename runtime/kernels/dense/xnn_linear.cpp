#include "runtime/kernels/dense/xnn_linear.h"

#include <limits>

namespace et::kernels::dense {

core::Result<std::unique_ptr<XnnLinear>> XnnLinear::make(KernelContext& context, const Weight& weight) {
    ET_TRY(initializeXnnpack());
    ET_ASSIGN(const float* elements,
              readableFloats(context, weight.elements, weight.inputs * weight.outputs));
    const float* bias = nullptr;
    if (weight.bias != nullptr) {
        ET_ASSIGN(bias, readableFloats(context, weight.bias, weight.outputs));
    }
    constexpr float infinity = std::numeric_limits<float>::infinity();
    xnn_operator_t operation = nullptr;
    const xnn_status status = xnn_create_fully_connected_nc_f32(
        weight.inputs, weight.outputs, weight.inputs, weight.outputs, elements, bias, -infinity, infinity,
        weight.isTransposed ? 0 : XNN_FLAG_TRANSPOSE_WEIGHTS, nullptr, nullptr, &operation);
    ET_TRY(checkXnnpack(status, "xnn_create_fully_connected_nc_f32"));
    auto made = std::make_unique<XnnLinear>();
    made->madeOf = weight;
    made->operation.reset(operation);
    return made;
}

core::Result<> XnnLinear::run(KernelContext& context, std::size_t rows, const float* input, float* output) {
    pthreadpool_t threads = context.threads().handle();
    if (shapedFor != rows) {
        shapedFor = 0;
        ET_TRY(checkXnnpack(xnn_reshape_fully_connected_nc_f32(operation.get(), rows, threads),
                            "xnn_reshape_fully_connected_nc_f32"));
        shapedFor = rows;
    }
    ET_ASSIGN(const float* readable, readableFloats(context, input, rows * madeOf.inputs));
    ET_TRY(checkXnnpack(xnn_setup_fully_connected_nc_f32(operation.get(), readable, output),
                        "xnn_setup_fully_connected_nc_f32"));
    return checkXnnpack(xnn_run_operator(operation.get(), threads), "xnn_run_operator");
}

}  // namespace et::kernels::dense
