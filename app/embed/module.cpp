#include "app/embed/convert.h"
#include "app/embed/module_impl.h"
#include "app/embed/tensor_access.h"

#include <algorithm>
#include <utility>

namespace et_inspect {
namespace {

/// An output as a value of the caller; tensors show the memory of the method.
Result<Value> outputValue(et::core::Value& value, std::shared_ptr<const void> keptAlive) {
    if (const auto* tensor = value.as<et::core::Tensor>()) {
        Result<Tensor> shown = detail::TensorAccess::show(*tensor, std::move(keptAlive));
        return shown ? Result<Value>(Value(*std::move(shown))) : Result<Value>(std::move(shown).error());
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return Value(*number);
    }
    if (const auto* number = value.as<double>()) {
        return Value(*number);
    }
    if (const auto* flag = value.as<bool>()) {
        return Value(*flag);
    }
    if (const auto* text = value.as<std::string_view>()) {
        return Value(std::string(*text));
    }
    if (value.isNone()) {
        return Value();
    }
    return detail::failure(ErrorCode::Unsupported,
                           "outputs of kind " + std::string(value.kindName()) + " are not supported");
}

}  // namespace

Module::Module(Source program, ModuleOptions options)
    : Module(std::move(program), std::vector<Source>(), std::move(options)) {
}
Module::Module(Source program, Source weights, ModuleOptions options)
    : Module(std::move(program), std::vector<Source>{std::move(weights)}, std::move(options)) {
}
Module::Module(Source program, std::vector<Source> weights, ModuleOptions options)
    : impl(std::make_shared<Impl>(std::move(program), std::move(weights), std::move(options))) {
}
Module::~Module() = default;
Module::Module(Module&&) noexcept = default;
Module& Module::operator=(Module&&) noexcept = default;

Result<void> Module::load() {
    return detail::resultOf(impl->open());
}

bool Module::is_loaded() const {
    return impl->module.has_value();
}

Result<void> Module::load_method(std::string_view method) {
    return detail::resultOf(
        impl->load(method).and_then([](detail::LoadedMethod* loaded) { return loaded->method->prepare(); }));
}

bool Module::is_method_loaded(std::string_view method) const {
    return std::ranges::any_of(impl->methods, [&](const auto& each) { return each.first == method; });
}

Result<void> Module::set_input(Value value, std::size_t index, std::string_view method) {
    return detail::resultOf(impl->load(method).and_then(
        [&](detail::LoadedMethod* loaded) { return impl->setInput(*loaded, index, std::move(value)); }));
}

Result<void> Module::set_inputs(std::vector<Value> values, std::string_view method) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (auto done = set_input(std::move(values[i]), i, method); !done) {
            return done;
        }
    }
    return {};
}

Result<void> Module::set_output(Tensor tensor, std::size_t index, std::string_view method) {
    return detail::resultOf(impl->load(method).and_then(
        [&](detail::LoadedMethod* loaded) { return impl->setOutput(*loaded, index, tensor); }));
}

Result<std::vector<Value>> Module::execute(std::string_view method, std::vector<Value> inputs) {
    if (auto done = impl->run(method, std::move(inputs)); !done) {
        return detail::errorOf(done.error());
    }
    detail::LoadedMethod& loaded = **impl->load(method);
    std::vector<Value> outputs;
    outputs.reserve(loaded.copies.size());
    for (std::size_t i = 0; i < loaded.copies.size(); ++i) {
        if (loaded.copies[i]) {
            outputs.emplace_back(*loaded.copies[i]);
            continue;
        }
        Result<Value> output = outputValue(loaded.method->output(i), impl);
        if (!output) {
            return std::move(output).error();
        }
        outputs.push_back(*std::move(output));
    }
    return outputs;
}

void Module::cancel() {
    impl->cancelled = true;
}

void Module::resume() {
    impl->cancelled = false;
}

}  // namespace et_inspect
