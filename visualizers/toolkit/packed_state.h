#pragma once

#include <QByteArray>
#include <QDataStream>
#include <QIODevice>

#include <optional>
#include <tuple>
#include <utility>

namespace et::visualizers {

/// Values as bytes, for the saved state of a view.
template <class... T>
[[nodiscard]] QByteArray packed(const T&... values) {
    QByteArray state;
    QDataStream stream(&state, QIODevice::WriteOnly);
    (stream << ... << values);
    return state;
}

/// The values of packed(); nothing if bytes are missing. Types must match exactly.
template <class... T>
[[nodiscard]] std::optional<std::tuple<T...>> unpacked(const QByteArray& state) {
    QDataStream stream(state);
    std::tuple<T...> values;
    std::apply([&stream](T&... each) { (stream >> ... >> each); }, values);
    return stream.status() == QDataStream::Ok ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace et::visualizers
