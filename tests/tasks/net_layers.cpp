#include "tests/tasks/net_layers.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace et::test {
namespace {

using etrecord::Argument;

float deviationFor(std::int64_t inputs) {
    return std::sqrt(2.0F / static_cast<float>(inputs));
}

std::int64_t resultSize(std::int64_t size, const ConvolutionSpec& spec) {
    return spec.transposed ? (size - 1) * spec.stride - 2 * spec.padding + spec.kernel + spec.outputPadding
                           : (size + 2 * spec.padding - spec.kernel) / spec.stride + 1;
}

/// Weight norm: directions with a length for each index of the first dimension.
std::string normedWeight(NetDraft& net, const std::string& directions) {
    const Sizes sizes = net.sizesOf(directions);
    Sizes lengths(sizes.size(), 1);
    lengths[0] = sizes[0];
    net.from("aten._weight_norm_interface.default");
    return net
        .addMany("aten._weight_norm_interface.default",
                 {tensorArgument("v", directions),
                  tensorArgument("g", net.parameter("weight_g", lengths, 0.1F, 1)), intArgument("dim", 0)},
                 {sizes, lengths})
        .front();
}

}  // namespace

std::string convolution(NetDraft& net, const std::string& x, const ConvolutionSpec& spec) {
    Sizes sizes = net.sizesOf(x);
    const std::size_t spatial = sizes.size() - 2;
    const std::int64_t inputs = sizes[1] / spec.groups;
    Sizes filter = spec.transposed ? Sizes{sizes[1], spec.channels} : Sizes{spec.channels, inputs};
    filter.insert(filter.end(), spatial, spec.kernel);
    const auto taps = static_cast<std::int64_t>(std::pow(spec.kernel, static_cast<double>(spatial)));
    std::string weight = net.parameter("weight", filter, deviationFor(inputs * taps));
    if (spec.normed) {
        weight = normedWeight(net, weight);
    }
    sizes[1] = spec.channels;
    for (std::size_t i = 2; i < sizes.size(); ++i) {
        sizes[i] = resultSize(sizes[i], spec);
    }
    const auto each = [&](std::int64_t value) { return Sizes(spatial, value); };
    net.from(spatial == 1 ? (spec.transposed ? "aten.conv_transpose1d.default" : "aten.conv1d.default")
                          : (spec.transposed ? "aten.conv_transpose2d.input" : "aten.conv2d.default"));
    const Argument bias = spec.bias ? tensorArgument("bias", net.parameter("bias", {spec.channels}, 0.1F))
                                    : Argument{.name = "bias", .kind = "as_none"};
    return net.add(
        "aten.convolution.default",
        {tensorArgument("input", x), tensorArgument("weight", weight), bias,
         intsArgument("stride", each(spec.stride)), intsArgument("padding", each(spec.padding)),
         intsArgument("dilation", each(1)), boolArgument("transposed", spec.transposed),
         intsArgument("output_padding", each(spec.outputPadding)), intArgument("groups", spec.groups)},
        sizes);
}

std::string batchNorm(NetDraft& net, const std::string& x) {
    const Sizes sizes = net.sizesOf(x);
    const Sizes channels{sizes[1]};
    std::vector<Argument> inputs{tensorArgument("input", x)};
    inputs.push_back(tensorArgument("weight", net.parameter("norm.weight", channels, 0.1F, 1)));
    inputs.push_back(tensorArgument("bias", net.parameter("norm.bias", channels, 0.1F)));
    inputs.push_back(tensorArgument("running_mean", net.parameter("norm.running_mean", channels, 0.1F)));
    inputs.push_back(tensorArgument("running_var", net.parameter("norm.running_var", channels, 0.05F, 1)));
    inputs.push_back(floatArgument("momentum", 0.1));
    inputs.push_back(floatArgument("eps", 1e-5));
    net.from("aten.batch_norm.default");
    return net
        .addMany("aten._native_batch_norm_legit_no_training.default", std::move(inputs), {sizes, {0}, {0}})
        .front();
}

std::string unary(NetDraft& net, const std::string& op, const std::string& x) {
    net.from(op);
    return net.add(op, {tensorArgument("self", x)}, net.sizesOf(x));
}

std::string relu(NetDraft& net, const std::string& x) {
    return unary(net, "aten.relu.default", x);
}

std::string sigmoid(NetDraft& net, const std::string& x) {
    return unary(net, "aten.sigmoid.default", x);
}

std::string relu6(NetDraft& net, const std::string& x) {
    net.from("aten.hardtanh.default");
    return net.add("aten.hardtanh.default",
                   {tensorArgument("self", x), floatArgument("min_val", 0), floatArgument("max_val", 6)},
                   net.sizesOf(x));
}

namespace {

/// clamp(clamp(x + 3, min=0), max=6), for the current operator.
std::string clampedSum(NetDraft& net, const std::string& x) {
    const Sizes sizes = net.sizesOf(x);
    const std::string three = net.number(std::int64_t{3});
    const std::string sum =
        net.add("aten.add.Tensor", {tensorArgument("self", x), tensorArgument("other", three)}, sizes);
    const std::string above =
        net.add("aten.clamp.default", {tensorArgument("self", sum), intArgument("min", 0)}, sizes);
    return net.add("aten.clamp.default",
                   {tensorArgument("self", above), {.name = "min", .kind = "as_none"}, intArgument("max", 6)},
                   sizes);
}

std::string divided(NetDraft& net, const std::string& x) {
    const std::string six = net.number(std::int64_t{6});
    return net.add("aten.div.Tensor", {tensorArgument("self", x), tensorArgument("other", six)},
                   net.sizesOf(x));
}

}  // namespace

std::string hardswish(NetDraft& net, const std::string& x, bool decomposed) {
    net.from("aten.hardswish.default");
    if (!decomposed) {
        return net.add("aten.hardswish.default", {tensorArgument("self", x)}, net.sizesOf(x));
    }
    const std::string clamped = clampedSum(net, x);
    return divided(net,
                   net.add("aten.mul.Tensor", {tensorArgument("self", x), tensorArgument("other", clamped)},
                           net.sizesOf(x)));
}

std::string prelu(NetDraft& net, const std::string& x, bool decomposed) {
    const Sizes sizes = net.sizesOf(x);
    const std::string slopes = net.parameter("slope", {sizes[1]}, 0.1F, 0.25F);
    net.from("aten.prelu.default");
    if (!decomposed) {
        return net.add("aten.prelu.default", {tensorArgument("self", x), tensorArgument("weight", slopes)},
                       sizes);
    }
    Sizes perChannel(sizes.size(), 1);
    perChannel[1] = sizes[1];
    const std::string weight =
        net.add("aten.view_copy.default", {tensorArgument("self", slopes), intsArgument("size", perChannel)},
                perChannel);
    const std::string above = net.add("aten.gt.Scalar", {tensorArgument("self", x), intArgument("other", 0)},
                                      sizes, core::ScalarType::Bool);
    const std::string below =
        net.add("aten.mul.Tensor", {tensorArgument("self", weight), tensorArgument("other", x)}, sizes);
    return net.add(
        "aten.where.self",
        {tensorArgument("condition", above), tensorArgument("self", x), tensorArgument("other", below)},
        sizes);
}

std::string hardsigmoid(NetDraft& net, const std::string& x) {
    net.from("aten.hardsigmoid.default");
    return divided(net, clampedSum(net, x));
}

std::string maxPool(NetDraft& net, const std::string& x, bool decomposed) {
    Sizes sizes = net.sizesOf(x);
    sizes[2] /= 2;
    sizes[3] /= 2;
    net.from("aten.max_pool2d.default");
    const std::vector inputs{tensorArgument("self", x), intsArgument("kernel_size", {2, 2}),
                             intsArgument("stride", {2, 2})};
    return decomposed ? net.addMany("aten.max_pool2d_with_indices.default", inputs, {sizes, sizes},
                                    core::ScalarType::Long)
                            .front()
                      : net.add("aten.max_pool2d.default", inputs, sizes);
}

std::string averagePool(NetDraft& net, const std::string& x) {
    const Sizes sizes = net.sizesOf(x);
    net.from("aten.adaptive_avg_pool2d.default");
    return net.add("aten.mean.dim",
                   {tensorArgument("self", x), intsArgument("dim", {-1, -2}), boolArgument("keepdim", true)},
                   {sizes[0], sizes[1], 1, 1});
}

std::string mean(NetDraft& net, const std::string& x, std::size_t dims, bool keeps) {
    Sizes sizes = net.sizesOf(x);
    Sizes dropped;
    for (std::size_t i = 0; i < dims; ++i) {
        dropped.push_back(static_cast<std::int64_t>(sizes.size() - dims + i));
    }
    sizes.resize(sizes.size() - dims);
    sizes.insert(sizes.end(), keeps ? dims : 0, 1);
    net.from("aten.mean.dim");
    return net.add("aten.mean.dim",
                   {tensorArgument("self", x), intsArgument("dim", dropped), boolArgument("keepdim", keeps)},
                   sizes);
}

std::string product(NetDraft& net, const std::string& x, const std::string& weight, const std::string& bias) {
    Sizes sizes = net.sizesOf(x);
    sizes.back() = net.sizesOf(weight).front();
    net.from("aten.linear.default");
    std::vector inputs{tensorArgument("input", x), tensorArgument("weight", weight)};
    if (!bias.empty()) {
        inputs.push_back(tensorArgument("bias", bias));
    }
    return net.add("aten.linear.default", std::move(inputs), sizes);
}

std::string linear(NetDraft& net, const std::string& x, std::int64_t outputs, bool bias) {
    const std::int64_t inputs = net.sizesOf(x).back();
    const std::string weight = net.parameter("weight", {outputs, inputs}, deviationFor(inputs));
    return product(net, x, weight, bias ? net.parameter("bias", {outputs}, 0.1F) : std::string());
}

std::string layerNorm(NetDraft& net, const std::string& x) {
    const Sizes sizes = net.sizesOf(x);
    Sizes rows = sizes;
    rows.back() = 1;
    const std::string weight = net.parameter("weight", {sizes.back()}, 0.1F, 1);
    const std::string bias = net.parameter("bias", {sizes.back()}, 0.1F);
    net.from("aten.layer_norm.default");
    return net
        .addMany("aten.native_layer_norm.default",
                 {tensorArgument("input", x), intsArgument("normalized_shape", {sizes.back()}),
                  tensorArgument("weight", weight), tensorArgument("bias", bias), floatArgument("eps", 1e-5)},
                 {sizes, rows, rows})
        .front();
}

std::string softmax(NetDraft& net, const std::string& x) {
    net.from("aten.softmax.int");
    return net.add("aten._softmax.default",
                   {tensorArgument("self", x), intArgument("dim", -1), boolArgument("half_to_float", false)},
                   net.sizesOf(x));
}

namespace {

std::string binary(NetDraft& net, const std::string& op, const std::string& x, const std::string& y) {
    Sizes sizes = net.sizesOf(x);
    const Sizes other = net.sizesOf(y);
    for (std::size_t i = 0; i < other.size(); ++i) {
        std::int64_t& size = sizes[sizes.size() - other.size() + i];
        size = std::max(size, other[i]);
    }
    return net.add(op, {tensorArgument("self", x), tensorArgument("other", y)}, sizes);
}

}  // namespace

std::string add(NetDraft& net, const std::string& x, const std::string& y) {
    net.from("aten.add.Tensor");
    return binary(net, "aten.add.Tensor", x, y);
}

std::string mul(NetDraft& net, const std::string& x, const std::string& y) {
    net.from("aten.mul.Tensor");
    return binary(net, "aten.mul.Tensor", x, y);
}

std::string mulNumber(NetDraft& net, const std::string& x, double number) {
    net.from("aten.mul.Tensor");
    return binary(net, "aten.mul.Tensor", x, net.number(number));
}

std::string mulNumber(NetDraft& net, const std::string& x, std::int64_t number) {
    net.from("aten.mul.Tensor");
    return binary(net, "aten.mul.Tensor", x, net.number(number));
}

std::string catNode(NetDraft& net, const std::vector<std::string>& tensors, std::int64_t dim) {
    Sizes sizes = net.sizesOf(tensors.front());
    sizes[static_cast<std::size_t>(dim)] = 0;
    for (const std::string& each : tensors) {
        sizes[static_cast<std::size_t>(dim)] += net.sizesOf(each)[static_cast<std::size_t>(dim)];
    }
    return net.add("aten.cat.default", {tensorsArgument("tensors", tensors), intArgument("dim", dim)}, sizes);
}

std::string cat(NetDraft& net, const std::vector<std::string>& tensors, std::int64_t dim) {
    net.from("aten.cat.default");
    return catNode(net, tensors, dim);
}

std::string viewNode(NetDraft& net, const std::string& x, const Sizes& sizes) {
    return net.add("aten.view_copy.default", {tensorArgument("self", x), intsArgument("size", sizes)}, sizes);
}

std::string permuteNode(NetDraft& net, const std::string& x, const Sizes& dims) {
    const Sizes sizes = net.sizesOf(x);
    Sizes permuted;
    for (const std::int64_t dim : dims) {
        permuted.push_back(sizes[static_cast<std::size_t>(dim)]);
    }
    return net.add("aten.permute_copy.default", {tensorArgument("self", x), intsArgument("dims", dims)},
                   permuted);
}

std::string view(NetDraft& net, const std::string& x, const Sizes& sizes) {
    net.from("aten.view.default");
    return viewNode(net, x, sizes);
}

std::string permute(NetDraft& net, const std::string& x, const Sizes& dims) {
    net.from("aten.permute.default");
    return permuteNode(net, x, dims);
}

std::string contiguousNode(NetDraft& net, const std::string& x) {
    return net.add("dim_order_ops._clone_dim_order.default", {tensorArgument("self", x)}, net.sizesOf(x));
}

std::string transpose(NetDraft& net, const std::string& x, std::int64_t first, std::int64_t second) {
    Sizes dims(net.sizesOf(x).size());
    std::iota(dims.begin(), dims.end(), 0);
    std::swap(dims[static_cast<std::size_t>(first)], dims[static_cast<std::size_t>(second)]);
    net.from("aten.transpose.int");
    return permuteNode(net, x, dims);
}

std::string matmul(NetDraft& net, const std::string& x, const std::string& y) {
    const Sizes left = net.sizesOf(x);
    const Sizes right = net.sizesOf(y);
    net.from("aten.matmul.default");
    const auto expanded = [&](const std::string& value, const Sizes& sizes) {
        const std::string wide = net.add("aten.expand_copy.default",
                                         {tensorArgument("self", value), intsArgument("size", sizes)}, sizes);
        return net.add("aten.view_copy.default", {tensorArgument("self", wide), intsArgument("size", sizes)},
                       sizes);
    };
    const std::string first = expanded(x, left);
    const std::string second = expanded(y, right);
    const Sizes sizes{left[0], left[1], right[2]};
    const std::string made =
        net.add("aten.bmm.default", {tensorArgument("self", first), tensorArgument("mat2", second)}, sizes);
    return net.add("aten.view_copy.default", {tensorArgument("self", made), intsArgument("size", sizes)},
                   sizes);
}

std::string sliceNode(NetDraft& net, const std::string& x, std::int64_t dim, std::int64_t start,
                      std::int64_t end) {
    Sizes sizes = net.sizesOf(x);
    sizes[static_cast<std::size_t>(dim)] = end - start;
    return net.add("aten.slice_copy.Tensor",
                   {tensorArgument("self", x), intArgument("dim", dim), intArgument("start", start),
                    intArgument("end", end)},
                   sizes);
}

std::string slice(NetDraft& net, const std::string& x, std::int64_t dim, std::int64_t start,
                  std::int64_t end) {
    net.from("aten.slice.Tensor");
    return sliceNode(net, x, dim, start, end);
}

}  // namespace et::test
