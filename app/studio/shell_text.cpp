#include "app/studio/shell_text.h"

#include <QRegularExpression>

namespace et::studio {

QString shellText(const QStringList& argv) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./=:,%+@-][A-Za-z0-9_./=:,%+@#-]*$"));
    QStringList quoted;
    for (QString argument : argv) {
        const bool isPlain = plain.match(argument).hasMatch();
        quoted.append(isPlain ? argument
                              : QStringLiteral("'%1'").arg(
                                    argument.replace(QStringLiteral("'"), QStringLiteral("'\\''"))));
    }
    return quoted.join(u' ');
}

}  // namespace et::studio
