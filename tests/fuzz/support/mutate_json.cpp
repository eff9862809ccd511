#include "tests/fuzz/support/mutate_json.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace et::fuzz {
namespace {

using nlohmann::json;

constexpr std::size_t mostValues = 20'000;

void collect(json& value, std::vector<json*>& all) {
    if (all.size() >= mostValues) {
        return;
    }
    all.push_back(&value);
    if (value.is_structured()) {
        for (json& inner : value) {
            collect(inner, all);
        }
    }
}

json special(std::mt19937_64& random) {
    static const json values[] = {nullptr,
                                  true,
                                  false,
                                  0,
                                  1,
                                  -1,
                                  2,
                                  7,
                                  256,
                                  2147483648LL,
                                  1e308,
                                  -0.5,
                                  1e-9,
                                  0.0,
                                  "",
                                  "inf",
                                  "nan",
                                  "None",
                                  "a\"b\\",
                                  "\x01\n",
                                  "x",
                                  json::array(),
                                  json::object(),
                                  "float32",
                                  "-inf",
                                  18446744073709551615ULL,
                                  -9223372036854775807LL};
    return values[random() % std::size(values)];
}

void changeMember(json& object, std::mt19937_64& random, const json& other) {
    if (object.empty()) {
        object["more"] = other;
        return;
    }
    auto at = object.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(random() % object.size()));
    if (random() % 2 == 0) {
        object.erase(at);
        return;
    }
    json value = std::move(at.value());
    std::string key = at.key();
    object.erase(at);
    key += static_cast<char>('a' + random() % 26);
    object[std::move(key)] = std::move(value);
}

void changeElements(json& array, std::mt19937_64& random, const json& other) {
    const auto at = array.empty() ? 0 : static_cast<std::ptrdiff_t>(random() % array.size());
    switch (random() % 3) {
        case 0:
            if (!array.empty()) {
                array.erase(array.begin() + at);
            }
            return;
        case 1:
            array.insert(array.begin() + at, other);
            return;
        default:
            array.insert(array.begin() + at,
                         array.empty() ? json() : json(array[static_cast<std::size_t>(at)]));
    }
}

void changeText(std::string& text, std::mt19937_64& random) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    switch (random() % 4) {
        case 0:
            text.resize(at);
            return;
        case 1:
            text.insert(at, 1, static_cast<char>(' ' + random() % 95));
            return;
        case 2:
            text += text.substr(at);
            return;
        default:
            if (!text.empty()) {
                text[at] = static_cast<char>(' ' + random() % 95);
            }
    }
}

void change(json& value, std::mt19937_64& random, const json& other) {
    switch (random() % 4) {
        case 0:
            value = special(random);
            return;
        case 1:
            value = other;
            return;
        default:
            break;
    }
    if (value.is_object()) {
        changeMember(value, random, other);
    } else if (value.is_array()) {
        changeElements(value, random, other);
    } else if (auto* const text = value.get_ptr<std::string*>()) {
        changeText(*text, random);
    } else if (const auto* const number = value.get_ptr<const std::int64_t*>()) {
        value = static_cast<std::int64_t>(static_cast<std::uint64_t>(*number) + random() % 7 - 3);
    } else {
        value = special(random);
    }
}

}  // namespace

std::string mutateJson(std::string_view text, std::mt19937_64& random) {
    json document = json::parse(text, nullptr, false);
    if (document.is_discarded()) {
        return {};
    }
    std::vector<json*> all;
    collect(document, all);
    const json other = *all[random() % all.size()];
    change(*all[random() % all.size()], random, other);
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace et::fuzz
