#include "app/python/bundles.h"

#include "app/python/cells.h"
#include "app/python/errors.h"
#include "app/python/given_inputs.h"
#include "app/python/name.h"
#include "app/python/sources.h"
#include "app/python/tensors.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/bundle/case_maker.h"
#include "bundled_program/bundle.h"
#include "bundled_program/case_check.h"
#include "bundled_program/writer.h"
#include "runtime/program/program.h"

#include <fmt/format.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace et::python {
namespace {

namespace nb = nanobind;
using nb::literals::operator""_a;
using bundled_program::Bundle;
using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using bundled_program::TestCase;
using bundled_program::TestSuite;

/// (dtype, sizes, bytes, dim order)
nb::object rawTensor(const Bundle&, const BundledTensor& tensor) {
    return nb::make_tuple(static_cast<int>(tensor.scalarType), nb::cast(tensor.sizes),
                          nb::bytes(tensor.data.data(), tensor.data.size()), nb::cast(tensor.dimOrder));
}

nb::object tensorArray(const Bundle& bundle, const BundledTensor& tensor) {
    return array(tensor.scalarType, tensor.sizes, tensor.dimOrder, tensor.data, bundle.file);
}

using BundledTensorObject = nb::object (*)(const Bundle&, const BundledTensor&);

nb::object bundledValue(const Bundle& bundle, const BundledValue& value, BundledTensorObject tensor) {
    return std::visit(
        [&](const auto& held) -> nb::object {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return nb::none();
            } else if constexpr (std::is_same_v<Held, BundledTensor>) {
                return tensor(bundle, held);
            } else {
                return nb::cast(held);
            }
        },
        value);
}

nb::list bundledValues(const Bundle& bundle, const std::vector<BundledValue>& values,
                       BundledTensorObject tensor) {
    return pythonList(values, [&](const BundledValue& each) { return bundledValue(bundle, each, tensor); });
}

const TestCase& caseOf(const Bundle& bundle, const std::string& method, std::size_t index) {
    const TestSuite* const suite = bundle.findSuite(method);
    const std::size_t count = suite == nullptr ? 0 : suite->cases.size();
    if (index >= count) {
        raise({.code = core::ErrorCode::NotFound,
               .message =
                   fmt::format("no case {}: method \"{}\" has {}", index, core::printable(method), count),
               .where = {.file = bundle.file->name(), .field = {}, .offset = {}}});
    }
    return suite->cases[index];
}

template <BundledTensorObject tensor>
nb::list inputsOf(const Bundle& self, const Name& method, std::size_t index) {
    return bundledValues(self, caseOf(self, method.bytes, index).inputs, tensor);
}

template <BundledTensorObject tensor>
nb::list expectedOutputsOf(const Bundle& self, const Name& method, std::size_t index) {
    return bundledValues(self, caseOf(self, method.bytes, index).expectedOutputs, tensor);
}

nb::list suites(const Bundle& bundle) {
    return pythonList(bundle.suites, [](const TestSuite& suite) {
        return nb::make_tuple(text(suite.method), suite.cases.size());
    });
}

/// Test cases of methods, with the memory that they refer to.
class GivenCases {
  public:
    explicit GivenCases(const program::Program& of) : program(of) {}

    /// `cases`: (inputs, expected outputs) of each. Raises ArgumentError for values that do not match the
    /// method.
    void add(const std::string& methodName, const nb::list& cases) {
        const program::Method* const method = program.findMethod(methodName);
        if (method == nullptr) {
            raise({.code = core::ErrorCode::NotFound,
                   .message = fmt::format("no method \"{}\"", core::printable(methodName)),
                   .where = {.file = program.file->name(), .field = {}, .offset = {}}});
        }
        TestSuite& suite = made.emplace_back(TestSuite{.method = method->name, .cases = {}});
        for (const nb::handle each : cases) {
            const auto pair = nb::cast<nb::tuple>(each);
            suite.cases.push_back(caseOf(*method, pair[0], pair[1]));
            check(*method, suite);
        }
    }
    [[nodiscard]] const std::vector<TestSuite>& all() const { return made; }

  private:
    TestCase caseOf(const program::Method& method, nb::handle asked, nb::handle expected) {
        tasks::CaseMaker& maker = makers.emplace_back(method);
        unwrap(maker.setInputs(setOf(method, method.inputs, "inputs", asked)));
        if (nb::len(expected) > 0) {
            unwrap(maker.setExpected(setOf(method, method.outputs, "expected_outputs", expected)));
        }
        return maker.made();
    }
    const tasks::InputSet& setOf(const program::Method& method, const std::vector<program::ValueId>& ids,
                                 const char* noun, nb::handle values) {
        const GivenInputs& given = inputs.emplace_back(method, ids, noun, values);
        tasks::InputSet& set = sets.emplace_back();
        set.values = given.values();
        set.sources.resize(set.values.size());
        return set;
    }
    static void check(const program::Method& method, const TestSuite& suite) {
        const TestCase& last = suite.cases.back();
        program::Method asked = method;
        if (last.expectedOutputs.empty()) {  // for measurement, not for verification
            asked.outputs.clear();
        }
        if (auto fits = checkCase(asked, last); !fits) {
            core::Error error = std::move(fits).error();
            error.where.field = fmt::format("case {}", suite.cases.size() - 1);
            raise(error);
        }
    }

    const program::Program& program;
    std::deque<GivenInputs> inputs;
    std::deque<tasks::InputSet> sets;
    std::deque<tasks::CaseMaker> makers;
    std::vector<TestSuite> made;
};

/// Returns the bytes of a bundled program, built from a program (path or bytes) and `suites`, (method,
/// [(inputs, outputs)]) of each.
nb::bytes writeBundle(const nb::object& source, const nb::list& suites) {
    const tasks::ProgramFile file = unwrap(tasks::ProgramFile::parse(contents(source)));
    GivenCases cases(*file.program);
    for (const nb::handle each : suites) {
        const auto pair = nb::cast<nb::tuple>(each);
        cases.add(nb::cast<Name>(pair[0]).bytes, nb::cast<nb::list>(pair[1]));
    }
    const std::vector<std::byte> bytes =
        unwrap(withoutGil([&] { return bundled_program::writeBundle(file.program->bytes, cases.all()); }));
    return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bindBundles(nb::module_& module) {
    module.def("write_bundle", &writeBundle, "program"_a, "suites"_a,
               nb::sig("def write_bundle(program: str | bytes, "
                       "suites: list[tuple[str, list[tuple[list, list]]]]) -> bytes"),
               "Creates a bundled program from a program (path or bytes) and the (inputs, expected outputs) "
               "of each case of each method.");
    nb::class_<Bundle>(module, "Bundle", "A bundled program.")
        .def_static(
            "open",
            [](const nb::object& source) {
                return std::const_pointer_cast<Bundle>(unwrap(Bundle::parse(contents(source))));
            },
            "source"_a, "Reads a bundled program: a path, or its bytes.")
        .def_prop_ro(
            "path", [](const Bundle& self) { return text(self.file->name()); }, "Path of the file, as given.")
        .def_prop_ro("suites", &suites, nb::sig("def suites(self) -> list[tuple[str, int]]"),
                     "Methods, with their numbers of cases.")
        .def_prop_ro(
            "program", [](const Bundle& self) { return nb::bytes(self.program.data(), self.program.size()); },
            "The bytes of the program.")
        .def_prop_ro(
            "version", [](const Bundle& self) { return self.version; }, "Version of the format.")
        .def("inputs", &inputsOf<&tensorArray>, "method"_a, "case"_a,
             nb::sig("def inputs(self, method: str, case: int) -> list[object]"),
             "Inputs of a case: arrays that share memory with the file, and numbers.")
        .def("expected_outputs", &expectedOutputsOf<&tensorArray>, "method"_a, "case"_a,
             nb::sig("def expected_outputs(self, method: str, case: int) -> list[object]"),
             "Expected outputs of a case, in the same form.")
        .def("raw_inputs", &inputsOf<&rawTensor>, "method"_a, "case"_a,
             nb::sig("def raw_inputs(self, method: str, case: int) -> list[object]"),
             "Inputs of a case: (dtype, sizes, bytes, dim order) of tensors, and numbers.")
        .def("raw_expected_outputs", &expectedOutputsOf<&rawTensor>, "method"_a, "case"_a,
             nb::sig("def raw_expected_outputs(self, method: str, case: int) -> list[object]"),
             "Expected outputs of a case, in the same form.");
}

}  // namespace et::python
