#include "tests/operators/runner.h"

#include "runtime/core/value.h"
#include "runtime/kernels/builtin.h"
#include "tests/operators/call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace et::test::operators {
namespace {

std::string text(const Array& array) {
    std::string made = fmt::format("{}{}", core::scalarTypeName(array.dtype), fmt::join(array.sizes, "x"));
    constexpr std::size_t shown = 24;
    std::vector<std::string> numbers;
    for (std::size_t at = 0; at < std::min(array.count(), shown); ++at) {
        numbers.push_back(array.imaginary.empty()
                              ? fmt::format("{:.9g}", array.numbers[at])
                              : fmt::format("{:.9g}{:+.9g}i", array.numbers[at], array.imaginary[at]));
    }
    return fmt::format("{} [{}{}]", made, fmt::join(numbers, " "), array.count() > shown ? " …" : "");
}

std::string text(const Argument& argument) {
    return std::visit(
        []<class T>(const T& content) -> std::string {
            if constexpr (std::is_same_v<T, std::monostate>) {
                return "None";
            } else if constexpr (std::is_same_v<T, Array>) {
                return text(content);
            } else if constexpr (std::is_same_v<T, Arrays> || std::is_same_v<T, OptionalArrays>) {
                std::string made;
                for (const auto& item : content) {
                    if constexpr (std::is_same_v<T, Arrays>) {
                        made += text(item) + "; ";
                    } else {
                        made += (item ? text(*item) : "None") + "; ";
                    }
                }
                return "{" + made + "}";
            } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>> ||
                                 std::is_same_v<T, std::vector<double>>) {
                return fmt::format("({})", fmt::join(content, ", "));
            } else {
                return fmt::format("{}", content);
            }
        },
        argument);
}

/// Whether a number rounds to the expected one.
bool fits(ScalarType dtype, Number given, Number wanted, Number allowed) {
    if (std::isnan(allowed)) {
        return true;
    }
    if (std::isnan(wanted) || std::isnan(given)) {
        return std::isnan(wanted) && std::isnan(given);
    }
    if (std::isinf(allowed)) {
        return true;
    }
    if (!core::isFloating(dtype) && !core::isComplex(dtype)) {
        return allowed == 0 ? given == rounded(dtype, wanted) : std::abs(given - wanted) <= allowed;
    }
    return rounded(dtype, wanted - allowed) <= given && given <= rounded(dtype, wanted + allowed);
}

std::string difference(const Array& given, const Expected& expected) {
    const Array& wanted = expected.array;
    if (given.dtype != wanted.dtype || given.sizes != wanted.sizes) {
        return fmt::format("gave {} of {}, expected {} of {}", core::scalarTypeName(given.dtype),
                           fmt::join(given.sizes, "x"), core::scalarTypeName(wanted.dtype),
                           fmt::join(wanted.sizes, "x"));
    }
    for (std::size_t at = 0; expected.hasNumbers && at < given.count(); ++at) {
        const Number allowed = expected.allowed.empty() ? 0 : expected.allowed[at];
        if (!fits(given.dtype, given.numbers[at], wanted.numbers[at], allowed)) {
            return fmt::format("element {} is {:.12g}, expected {:.12g} ± {:.3g}", at, given.numbers[at],
                               wanted.numbers[at], allowed);
        }
        if (!given.imaginary.empty() &&
            !fits(given.dtype, given.imaginary[at], wanted.imaginary[at], allowed)) {
            return fmt::format("element {} is {:.12g}i, expected {:.12g}i ± {:.3g}", at, given.imaginary[at],
                               wanted.imaginary[at], allowed);
        }
    }
    return {};
}

bool same(const Array& one, const Array& other) {
    const auto alike = [](Number a, Number b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    return one.sizes == other.sizes && std::ranges::equal(one.numbers, other.numbers, alike) &&
           std::ranges::equal(one.imaginary, other.imaginary, alike);
}

struct CallVariant {
    std::string_view name;
    Manner manner;
    bool mayRefuse = false;
    bool isExact = false;  ///< must have the same bits as the plain run
};

std::vector<CallVariant> makeCallVariants(const Rule& rule, Random& random) {
    std::vector<CallVariant> made;
    made.push_back({"with other bytes in the outputs", {.before = std::byte{0x00}}, false, true});
    made.push_back({"with several threads", {.threads = 3}, false, rule.traits.threadsAgree});
    made.push_back({"with constants", {.constants = true}});
    made.push_back({"with outputs that had room to grow", {.growing = true}});
    if (rule.traits.anyOrder) {
        const auto seed = static_cast<std::uint64_t>(random.between(1, 1'000'000));
        made.push_back({"in one dim order", {.orders = seed, .sameOrder = true}, true});
        made.push_back({"in several dim orders", {.orders = seed}, true});
    }
    if (rule.traits.mayAlias) {
        made.push_back({"over an input", {.overInput = true}, true});
    }
    return made;
}

class Checker {
  public:
    Checker(const Rule& checked, const kernels::KernelEntry& kernel, Case made)
        : rule(checked), entry(kernel), plain(std::move(made)) {}

    std::string run(const Manner& manner, bool mayRefuse, bool isExact) {
        Call call(plain, manner);
        const auto done = call.run(entry);
        if (auto damage = call.damage(); !damage.empty()) {
            return damage;
        }
        if (!done) {
            const bool isKnown =
                !rule.traits.mayRefuse.empty() && done.error().message.starts_with(rule.traits.mayRefuse);
            return mayRefuse || isKnown ? "" : "refused: " + done.error().message;
        }
        for (std::size_t index = 0; index < plain.outputs.size() + plain.changes.size(); ++index) {
            const Array given = read(call.output(index));
            const Expected& wanted = index < plain.outputs.size()
                                         ? plain.outputs[index]
                                         : plain.changes[index - plain.outputs.size()].after;
            if (auto wrong = difference(given, wanted); !wrong.empty()) {
                return fmt::format("output {}: {}", index, wrong);
            }
            if (first.size() <= index) {
                first.push_back(given);
            } else if (isExact && wanted.hasNumbers && !same(first[index], given)) {
                return fmt::format("output {} differs from the plain run", index);
            }
        }
        return {};
    }

  private:
    const Rule& rule;
    const kernels::KernelEntry& entry;
    Case plain;
    Arrays first;
};

/// Returns an integer that is likely to be invalid.
std::int64_t wrongInteger(Random& random) {
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto greatest = std::numeric_limits<std::int64_t>::max();
    return random.pick<std::int64_t>({least, least + 1, -(std::int64_t{1} << 32), -100, -3, -2, -1, 0, 1, 2,
                                      3, 7, 100, 65536, std::int64_t{1} << 31, std::int64_t{1} << 33,
                                      greatest / 2, greatest - 1, greatest});
}

void damageSizes(Array& array, Random& random) {
    Sizes sizes = array.sizes;
    switch (sizes.empty() ? 0 : random.below(4)) {
        case 0:
            sizes.insert(sizes.begin() + random.below(array.dim() + 1), random.between(0, 3));
            break;
        case 1:
            sizes.erase(sizes.begin() + random.below(array.dim()));
            break;
        case 2:
            std::swap(sizes.front(), sizes.back());
            break;
        default:
            sizes[static_cast<std::size_t>(random.below(array.dim()))] = random.between(0, 9);
    }
    if (elementCount(sizes) <= 20'000) {
        array = random.array(array.dtype, sizes);
    }
}

void damageArray(Array& array, Random& random) {
    if (random.flip()) {
        array = random.array(random.pick(realTypes), array.sizes);
    } else if (random.flip()) {
        damageSizes(array, random);
    } else {
        array = random.array(array.dtype, array.sizes);  // out-of-range indices, negative scales
        for (Number& number : array.numbers) {
            if (random.chance(20)) {
                number = rounded(array.dtype, static_cast<Number>(wrongInteger(random)));
            }
        }
    }
}

void damageArgument(Argument& argument, Random& random) {
    std::visit(
        [&]<class T>(T& content) {
            if constexpr (std::is_same_v<T, Array>) {
                damageArray(content, random);
            } else if constexpr (std::is_same_v<T, std::int64_t>) {
                content = wrongInteger(random);
            } else if constexpr (std::is_same_v<T, double>) {
                content = random.pick({0.0, -1.0, 1e300, -1e300, HUGE_VAL, std::nan(""), 1e-300});
            } else if constexpr (std::is_same_v<T, bool>) {
                content = !content;
            } else if constexpr (std::is_same_v<T, std::string>) {
                content = random.pick<const char*>({"", "floor", "none", "tanh", "?"});
            } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
                if (content.empty() || random.chance(30)) {
                    content.insert(content.begin(), wrongInteger(random));
                } else if (random.chance(30)) {
                    content.pop_back();
                } else {
                    content[static_cast<std::size_t>(
                        random.below(static_cast<std::int64_t>(content.size())))] = wrongInteger(random);
                }
            } else if constexpr (std::is_same_v<T, Arrays>) {
                if (content.empty()) {
                    return;
                }
                damageArray(content[static_cast<std::size_t>(
                                random.below(static_cast<std::int64_t>(content.size())))],
                            random);
            } else if constexpr (std::is_same_v<T, OptionalArrays>) {
                if (!content.empty()) {
                    auto& item = content[static_cast<std::size_t>(
                        random.below(static_cast<std::int64_t>(content.size())))];
                    item ? damageArray(*item, random) : void(item = zeros(ScalarType::Long, {1}));
                }
            } else if constexpr (std::is_same_v<T, std::vector<double>>) {
                content.push_back(-1);
            }
        },
        argument);
    if (random.chance(4)) {
        argument = random.flip() ? Argument(std::monostate{}) : Argument(std::int64_t{1});
    }
}

/// Returns the case with a fault, which may change its meaning or have no effect.
Case damaged(Case made, Random& random) {
    const auto arguments = static_cast<std::int64_t>(made.arguments.size());
    const auto all = arguments + static_cast<std::int64_t>(made.outputs.size());
    for (int round = random.chance(70) ? 1 : 2; round > 0 && all > 0; --round) {
        const std::int64_t chosen = random.below(all);
        if (chosen < arguments) {
            damageArgument(made.arguments[static_cast<std::size_t>(chosen)], random);
        } else {
            damageArray(made.outputs[static_cast<std::size_t>(chosen - arguments)].array, random);
        }
    }
    return made;
}

}  // namespace

std::string describe(const Case& made) {
    std::string all;
    for (const Argument& argument : made.arguments) {
        all += "\n    " + text(argument);
    }
    for (const Expected& output : made.outputs) {
        all += fmt::format("\n    out {}", text(output.array));
    }
    return all;
}

std::string check(const Rule& rule, std::uint64_t seed) {
    const kernels::KernelEntry* entry = kernels::builtin().find(rule.name);
    if (entry == nullptr) {
        return fmt::format("{}: no such operator", rule.name);
    }
    Random random(seed);
    const Case made = rule.make(random);
    Checker checker(rule, *entry, made);
    const auto failed = [&](std::string_view how, const std::string& what, const Case& run) {
        return fmt::format("{} (ET_OPERATOR={} ET_SEED={} ET_CASES=1) {}: {}{}", rule.name, rule.name, seed,
                           how, what, describe(run));
    };
    if (auto wrong = checker.run({}, false, false); !wrong.empty()) {
        return failed("plainly", wrong, made);
    }
    for (const CallVariant& each : makeCallVariants(rule, random)) {
        if (auto wrong = checker.run(each.manner, each.mayRefuse, each.isExact); !wrong.empty()) {
            return failed(each.name, wrong, made);
        }
    }
    const Case wrongCase = damaged(made, random);
    Call call(wrongCase, {.threads = random.chance(20) ? 3U : 1U, .growing = random.flip()});
    (void)call.run(*entry);
    if (auto wrong = call.damage(); !wrong.empty()) {
        return failed("with wrong arguments", wrong, wrongCase);
    }
    return {};
}

}  // namespace et::test::operators
