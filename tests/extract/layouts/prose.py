"""Sentences, headlines, names and words to fill pages with, in several languages."""

import random
from typing import NamedTuple

from benchmarks.site import sentence
from benchmarks.vocabulary import ADJECTIVES, PEOPLE, PLACES, TOPICS, Topic


class Prose:
    """English about one topic."""

    joint = " "
    language = "en"

    def __init__(self, topic: Topic) -> None:
        self._topic = topic

    def sentence(self, rng: random.Random) -> str:
        return sentence(rng, self._topic)

    def title(self, rng: random.Random) -> str:
        noun = rng.choice(self._topic.nouns)
        return rng.choice(
            (
                f"The {rng.choice(ADJECTIVES)} {noun} of {rng.choice(PLACES)}",
                f"How {rng.choice(PLACES)} lost its {noun}",
                f"{noun.title()} and {rng.choice(self._topic.nouns)}",
                f"A {noun} for {rng.choice(PEOPLE)}",
                f"What the {rng.choice(self._topic.plurals)} say about {rng.choice(PLACES)}",
            )
        )

    def name(self, rng: random.Random) -> str:
        return rng.choice(PEOPLE)

    def word(self, rng: random.Random) -> str:
        return rng.choice(rng.choice(TOPICS).plurals).title()


def english(rng: random.Random) -> Prose:
    return Prose(rng.choice(TOPICS))


class _Phrases(NamedTuple):
    joint: str
    sentences: str
    titles: str
    names: str
    words: str


class ForeignProse(Prose):
    def __init__(self, language: str) -> None:
        phrases = _PHRASES[language]
        self.language = language
        self.joint = phrases.joint
        self._sentences = phrases.sentences.strip().split("\n")
        self._titles, self._names, self._words = (
            part.split("|") for part in (phrases.titles, phrases.names, phrases.words)
        )

    def sentence(self, rng: random.Random) -> str:
        return rng.choice(self._sentences)

    def title(self, rng: random.Random) -> str:
        return rng.choice(self._titles)

    def name(self, rng: random.Random) -> str:
        return rng.choice(self._names)

    def word(self, rng: random.Random) -> str:
        return rng.choice(self._words)


_PHRASES = {
    "zh": _Phrases(
        "",
        """
昨天下午，市政府召开新闻发布会，介绍了老城区改造工程的最新进展。
据了解，该项目总投资约三亿元，预计明年年底全部完工。
专家表示，这项研究为今后治疗此类疾病提供了新的思路。
記者在现场看到，不少市民正在排队等候参观新建的图书馆。
他说，家乡的变化让他感到既熟悉又陌生，很多老街都已经不见了。
今年以来，当地农民依靠种植茶叶，收入比去年提高了两成左右。
由于连日降雨，部分路段出现积水，交通部门提醒市民注意安全。
这座桥建于清朝末年，全长一百二十米，至今仍在使用。
在接受采访时，她回忆起二十年前第一次来到这座城市的情景。
双方将在教育、文化和旅游等领域进一步加强合作。
气象台预计，未来三天气温将逐渐回升，早晚温差较大。
这本书用朴实的语言记录了一个普通家庭五十年的生活。
        """,
        "老城区改造工程进展顺利|新图书馆今日开放|茶农收入连年增长|一座百年老桥的故事|"
        "连日降雨影响交通|科学家发现治疗新思路|普通家庭的五十年",
        "王小明|李建国|张丽华|陈思远|刘海燕",
        "首页|新闻|体育|财经|娱乐|科技|汽车|房产|教育|旅游|健康|视频|图片|论坛|博客|军事",
    ),
    "ja": _Phrases(
        "",
        """
昨日の午後、駅前の広場で小さな音楽会が開かれ、多くの人が足を止めて聞き入っていました。
この町では昔から、秋になると川沿いに提灯を並べて収穫を祝う習慣があります。
店主によると、材料はすべて地元の農家から仕入れているそうです。
雨の日が続いていますが、庭の紫陽花は今年もきれいに咲きました。
はじめて訪れたときは道に迷ってしまい、親切なおばあさんに助けてもらいました。
研究チームは、十年間にわたる観測の結果をまとめて発表しました。
朝早く起きて港まで歩くと、漁から戻った船が次々に着くところでした。
新しい図書館は来年の春に完成する予定で、子どものための部屋も作られます。
        """,
        "秋の川まつりの思い出|駅前の小さな音楽会|紫陽花の咲く庭で|港の朝を歩く|新しい図書館の話",
        "田中花子|佐藤健|鈴木一郎|高橋美咲",
        "ホーム|ブログ|旅行|料理|写真|日記|お知らせ|プロフィール|お問い合わせ|ランキング",
    ),
    "th": _Phrases(
        " ",
        """
เมื่อวานนี้ชาวบ้านในพื้นที่ได้ร่วมกันทำความสะอาดตลาดเก่าริมแม่น้ำเพื่อเตรียมต้อนรับนักท่องเที่ยว
นักวิจัยกล่าวว่าปริมาณน้ำฝนในปีนี้มากกว่าค่าเฉลี่ยของสิบปีที่ผ่านมาอย่างเห็นได้ชัด
โรงเรียนแห่งนี้ก่อตั้งขึ้นเมื่อหกสิบปีก่อนและยังคงเปิดสอนเด็กในหมู่บ้านจนถึงทุกวันนี้
เจ้าของร้านเล่าว่าสูตรขนมนี้ได้รับการถ่ายทอดมาจากคุณยายและไม่เคยเปลี่ยนแปลง
ทางจังหวัดมีแผนจะสร้างสะพานใหม่เพื่อให้การเดินทางระหว่างสองอำเภอสะดวกยิ่งขึ้น
ผู้ชมจำนวนมากเดินทางมาชมการแข่งขันเรือยาวซึ่งจัดขึ้นเป็นประจำทุกปีในเดือนตุลาคม
        """,
        "ตลาดเก่าริมแม่น้ำ|การแข่งขันเรือยาวประจำปี|ขนมสูตรคุณยาย|สะพานใหม่ของจังหวัด",
        "สมชาย ใจดี|มาลี ศรีสุข|ประเสริฐ ทองคำ",
        "หน้าแรก|ข่าว|กีฬา|บันเทิง|เศรษฐกิจ|ท่องเที่ยว|สุขภาพ|วิดีโอ|ติดต่อเรา",
    ),
    "de": _Phrases(
        " ",
        """
Die Stadtverwaltung hat am Dienstag angekündigt, den alten Bahnhof bis zum Herbst zu sanieren.
Nach Angaben der Polizei wurde bei dem Unfall auf der Landstraße niemand schwer verletzt.
Viele Anwohner fürchten, dass die Mieten nach dem Umbau des Viertels weiter steigen werden.
Das Museum zeigt bis Ende März rund achtzig Gemälde, von denen einige noch nie zu sehen waren.
»Wir haben lange auf diesen Tag gewartet«, sagte die Vorsitzende des Vereins bei der Eröffnung.
Im vergangenen Jahr kamen deutlich mehr Gäste als erwartet, obwohl der Sommer verregnet war.
Die Forscher untersuchten über sechs Jahre hinweg, wie sich der Wald nach dem Sturm erholte.
Wer den Weg über den Kamm nimmt, braucht festes Schuhwerk und etwa vier Stunden Zeit.
        """,
        "Alter Bahnhof wird saniert|Museum zeigt vergessene Gemälde|Wie sich der Wald erholt|"
        "Streit um den Umbau des Viertels|Ein Weg über den Kamm",
        "Anna Becker|Jörg Schäfer|Lena Vogt|Martin Krüger",
        "Politik|Wirtschaft|Sport|Kultur|Wissen|Reise|Auto|Panorama|Gesundheit|Karriere|Meinung",
    ),
    "ru": _Phrases(
        " ",
        """
Вчера вечером в городе прошёл первый осенний концерт, собравший несколько тысяч зрителей.
По словам директора музея, новая выставка будет открыта для посетителей до конца февраля.
Жители посёлка давно просили построить мост, потому что весной дорогу размывает вода.
Учёные выяснили, что возраст найденных украшений составляет не менее двух тысяч лет.
Он вспоминает, как в детстве вместе с отцом ходил на рыбалку к старой мельнице.
Ремонт дороги обещают закончить к лету, хотя работы уже дважды откладывали.
В прошлом году урожай яблок оказался рекордным, и цены на рынке заметно снизились.
        """,
        "Первый осенний концерт|Новая выставка в музее|Мост через реку|Находка археологов|"
        "Рекордный урожай яблок",
        "Анна Смирнова|Игорь Волков|Ольга Кузнецова",
        "Главная|Новости|Спорт|Культура|Общество|Экономика|Наука|Видео|Фото|Контакты|Реклама",
    ),
    "es": _Phrases(
        " ",
        """
El ayuntamiento presentó ayer el proyecto para recuperar la antigua estación de tren.
Según los vecinos, el ruido de las obras no cesa hasta bien entrada la noche.
La exposición reúne más de sesenta fotografías que el autor tomó durante sus viajes por la costa.
«No esperábamos tanta gente», reconoció la directora del festival al terminar la jornada.
Los investigadores creen que el hallazgo cambiará lo que se sabía sobre el origen del pueblo.
El camino sube entre olivos hasta una ermita desde la que se ve todo el valle.
        """,
        "La estación volverá a abrir|Un viaje por la costa|El hallazgo que lo cambia todo|"
        "Subida a la ermita",
        "Lucía Moreno|Javier Ortega|Carmen Vidal",
        "Inicio|Noticias|Deportes|Cultura|Economía|Sociedad|Opinión|Vídeos|Contacto|Suscríbete",
    ),
}
