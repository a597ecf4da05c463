"""Stop words as they are written. `gossamer.text.stop_words` folds them.

Those of Danish, Dutch, Finnish, French, German, Hungarian, Italian, Norwegian, Portuguese, Russian,
Spanish and Swedish are the lists of the Snowball project (see NOTICE), compared word by word with
the copies that PostgreSQL ships. Misspelt words are mended (Spanish 'vosotros', Finnish 'tällä',
Swedish 'sitt'), Spanish goes without the forms of 'sentir', and French has more of its pronouns.
The others are our own: words of grammar alone, no numbers and no content, each compared with the
lists of the packages stop-words and stopwordsiso.
"""

WORDS = {
    "en": """
        i me my myself we our ours ourselves you your yours yourself yourselves he him his himself
        she her hers herself it its itself they them their theirs themselves what which who whom
        whose this that these those am is are was were be been being have has had having do does did
        doing would should could ought will shall can may might must a an the and but if or because
        as until while of at by for with about against between into through during before after
        above below to from up down in out on off over under again further then once here there when
        where why how all any both each few more most other some such no nor not only own same so
        than too very upon also within without via per isn't aren't wasn't weren't hasn't haven't
        hadn't doesn't don't didn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't
        let's
    """,
    "de": """
        aber alle allem allen aller alles als also am an ander andere anderem anderen anderer
        anderes anderm andern anderr anders auch auf aus bei bin bis bist da damit dann das dasselbe
        dazu daß dein deine deinem deinen deiner deines dem demselben den denn denselben der derer
        derselbe derselben des desselben dessen dich die dies diese dieselbe dieselben diesem diesen
        dieser dieses dir doch dort du durch ein eine einem einen einer eines einig einige einigem
        einigen einiger einiges einmal er es etwas euer eure eurem euren eurer eures für gegen
        gewesen hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem
        ihren ihrer ihres im in indem ins ist jede jedem jeden jeder jedes jene jenem jenen jener
        jenes jetzt kann kein keine keinem keinen keiner keines können könnte machen man manche
        manchem manchen mancher manches mein meine meinem meinen meiner meines mich mir mit muss
        musste nach nicht nichts noch nun nur ob oder ohne sehr sein seine seinem seinen seiner
        seines selbst sich sie sind so solche solchem solchen solcher solches soll sollte sondern
        sonst um und uns unsem unsen unser unses unter viel vom von vor war waren warst was weg weil
        weiter welche welchem welchen welcher welches wenn werde werden wie wieder will wir wird
        wirst wo wollen wollte während würde würden zu zum zur zwar zwischen über euch unse
    """,
    "fr": """
        ai aie aient aies ait au aurai auraient aurais aurait aurez auriez aurions aurons auront aux
        avaient avais avait avec avez aviez avons ayant ayez ayons c ce ceci cela celà ces cet cette
        d dans de des du elle en es et eu eue eues eurent eus eusse eussent eusses eussiez eussions
        eut eux eûmes eût eûtes furent fus fusse fussent fusses fussiez fussions fut fûmes fûtes ici
        il ils j je l la le les leur leurs lui m ma mais me mes moi mon même n ne nos notre nous on
        ont ou par pas pour qu que quel quelle quelles quels qui s sa sans se sera serai seraient
        serais serait seras serez seriez serions serons seront ses soi soient sois soit sont soyez
        soyons suis sur t ta te tes toi ton tu un une vos votre vous y à étaient étais était étant
        étiez étions étée étées êtes as aura auras avions ayante ayantes ayants est fût sommes son
        étante étantes étants été étés
    """,
    "es": """
        a al algo algunas algunos ante antes como con contra cual cuando de del desde donde durante
        e el ella ellas ellos en entre era erais eran eras eres es esa esas ese eso esos esta estaba
        estabais estaban estabas estad estada estadas estado estados estamos estando estar estaremos
        estará estarán estarás estaré estaréis estaría estaríais estaríamos estarían estarías estas
        este estemos esto estos estoy estuve estuviera estuvierais estuvieran estuvieras estuvieron
        estuviese estuvieseis estuviesen estuvieses estuvimos estuviste estuvisteis estuviéramos
        estuviésemos estuvo está estábamos estáis están estás esté estéis estén estés fue fuera
        fuerais fueran fueras fueron fuese fueseis fuesen fueses fui fuimos fuiste fuisteis fuéramos
        fuésemos ha habida habidas habido habidos habiendo habremos habrá habrán habrás habré
        habréis habría habríais habríamos habrían habrías habéis había habíais habíamos habían
        habías han has hasta hay haya hayamos hayan hayas hayáis he hemos hubiera hubierais hubieran
        hubieras hubieron hubiese hubieseis hubiesen hubieses hubimos hubiste hubisteis hubiéramos
        hubiésemos hubo la las le les lo los me mi mis mucho muchos muy más mí mía mías mío míos
        nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro
        otros para pero poco por porque que quien quienes qué se sea seamos sean seas seremos será
        serán serás seré seréis sería seríais seríamos serían serías seáis sido siendo sin sobre
        somos son soy su sus suya suyas suyo suyos sí también tanto te tendremos tendrá tendrán
        tendrás tendré tendréis tendría tendríais tendríamos tendrían tendrías tened tenemos tenga
        tengamos tengan tengas tengo tengáis tenida tenidas tenido tenidos teniendo tenéis tenía
        teníais teníamos tenían tenías ti tiene tienen tienes todo todos tu tus tuve tuviera
        tuvierais tuvieran tuvieras tuvieron tuviese tuvieseis tuviesen tuvieses tuvimos tuviste
        tuvisteis tuviéramos tuviésemos tuvo tuya tuyas tuyo tuyos tú un una uno unos vosotras
        vosotros vuestra vuestras vuestro vuestros y ya yo él éramos hube sois
    """,
    "it": """
        a abbia abbiamo abbiano abbiate ad agl agli ai al all alla alle allo anche avemmo avendo
        avesse avessero avessi avessimo aveste avesti avete aveva avevamo avevano avevate avevi
        avevo avrai avranno avrebbe avrebbero avrei avremmo avremo avreste avresti avrete avrà avrò
        avuta avute avuti avuto c che chi ci coi col come con contro cui da dagl dagli dai dal dall
        dalla dalle dallo degl degli dei del dell della delle dello di dov dove e ebbe ebbero ebbi
        ed era erano eravamo eravate eri ero essendo faccia facciamo facciano facciate faccio
        facemmo facendo facesse facessero facessi facessimo faceste facesti faceva facevamo facevano
        facevate facevi facevo fai fanno farai faranno farebbe farebbero farei faremmo faremo
        fareste faresti farete farà farò fece fecero feci fosse fossero fossi fossimo foste fosti fu
        fui fummo furono gli ha hai hanno ho i il in io l la le lei li lo loro lui ma mi mia mie
        miei mio ne negl negli nei nel nell nella nelle nello noi non nostra nostre nostri nostro o
        per perché più quale quanta quante quanti quanto quella quelle quelli quello questa queste
        questi questo sarai saranno sarebbe sarebbero sarei saremmo saremo sareste saresti sarete
        sarà sarò se sei si sia siamo siano siate siete sono sta stai stando stanno starai staranno
        starebbe starebbero starei staremmo staremo stareste staresti starete starà starò stava
        stavamo stavano stavate stavi stavo stemmo stesse stessero stessi stessimo steste stesti
        stette stettero stetti stia stiamo stiano stiate sto su sua sue sugl sugli sui sul sull
        sulla sulle sullo suo suoi ti tra tu tua tue tuo tuoi tutti tutto un una uno vi voi vostra
        vostre vostri vostro è
    """,
    "pt": """
        a ao aos aquela aquelas aquele aqueles aquilo as até com como da das de dela delas dele
        deles depois do dos e ela elas ele eles em entre era eram essa essas esse esses esta estamos
        estas estava estavam este esteja estejam estejamos estes esteve estive estivemos estiver
        estivera estiveram estiverem estivermos estivesse estivessem estivéramos estivéssemos estou
        está estávamos estão eu foi fomos for fora foram forem formos fosse fossem fui fôramos
        fôssemos haja hajam hajamos havemos hei houve houvemos houver houvera houveram houverei
        houverem houveremos houveria houveriam houvermos houverá houverão houveríamos houvesse
        houvessem houvéramos houvéssemos há hão isso isto já lhe lhes mais mas me mesmo meu meus
        minha minhas muito na nas nem no nos nossa nossas nosso nossos num numa não nós o os ou para
        pela pelas pelo pelos por qual quando que quem se seja sejam sejamos sem serei seremos seria
        seriam será serão seríamos seu seus somos sou sua suas são só também te tem temos tenha
        tenham tenhamos tenho terei teremos teria teriam terá terão teríamos teu teus teve tinha
        tinham tive tivemos tiver tivera tiveram tiverem tivermos tivesse tivessem tivéramos
        tivéssemos tu tua tínhamos um uma você vocês vos à às éramos tuas tém
    """,
    "nl": """
        aan al alles als altijd andere ben bij daar dan dat de der deze die dit doch doen door dus
        een eens en er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hun iemand
        iets ik in is ja je kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog
        nu of om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor
        want waren was wat werd wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou
    """,
    "sv": """
        alla allt att av blev bli blir blivit de dem den denna deras dess dessa det detta dig din
        dina ditt du där då efter ej eller en er era ert ett från för ha hade han har henne hennes
        hon honom hur här i icke ingen inom inte jag ju kan kunde man med mellan men mig min mina
        mitt mot mycket ni nu när någon något några och om oss på samma sedan sig sin sina sitt
        själv skulle som så sådan sådana sådant till under upp ut utan vad var vara varför varit
        varje vars vart vem vi vid vilka vilkas vilken vilket vår våra vårt än är åt över hans
    """,
    "da": """
        ad af alle alt anden at blev blive bliver da de dem den denne der deres det dette dig din
        disse dog du efter eller en end er et for fra ham han hans har havde have hende hendes her
        hos hun hvad hvis hvor i ikke ind jeg jer jo kunne man mange med meget men mig min mine mit
        mod ned noget nogle nu når og også om op os over på selv sig sin sine sit skal skulle som
        sådan thi til ud under var vi vil ville vor være været
    """,
    "no": """
        alle at av bare begge ble bli blir blitt både båe da de deg dei deim deira deires dem den
        denne der dere deres det dette di din disse ditt du dykk dykkar då eg ein eit eitt eller
        elles en enn er et ett etter for fordi fra før ha hadde han hans har hennar henne hennes her
        ho hoe honom hoss hossen hun hva hvem hver hvilke hvilken hvis hvor hvordan hvorfor i ikke
        ikkje ingen ingi inkje inn inni ja jeg kan kom korleis korso kun kunne kva kvar kvarhelst
        kven kvi kvifor man mange me med medan meg meget mellom men mi min mine mot mykje ned no noe
        noen noka noko nokon nokor nokre nå når og også om opp oss over på samme seg selv si sia
        sidan siden sin sine sitt sjøl skal skulle slik so som somme somt så sånn til um upp ut uten
        var vart varte ved vere verte vi vil ville vore vort vår være vært å blei hjå mitt vors
    """,
    "fi": """
        ei eivät emme en et ette että he heidän heidät heihin heille heillä heiltä heissä heistä
        heitä hän häneen hänelle hänellä häneltä hänen hänessä hänestä hänet häntä itse ja johon
        joiden joihin joiksi joilla joille joilta joina joissa joista joita joka joksi jolla jolle
        jolta jona jonka jos jossa josta jota jotka kanssa keiden keihin keiksi keille keillä keiltä
        keinä keissä keistä keitä keneen keneksi kenelle kenellä keneltä kenen kenenä kenessä
        kenestä kenet ketkä ketä koska kuin kuka kun me meidän meidät meihin meille meillä meiltä
        meissä meistä meitä mihin miksi mikä mille millä miltä minkä minua minulla minulle minulta
        minun minussa minusta minut minuun minä missä mistä mitkä mitä mukaan mutta ne niiden niihin
        niiksi niille niillä niiltä niin niinä niissä niistä niitä noiden noihin noiksi noilla
        noille noilta noin noina noissa noista noita nuo nyt näiden näihin näiksi näille näillä
        näiltä näinä näissä näistä näitä nämä ole olemme olen olet olette oli olimme olin olisi
        olisimme olisin olisit olisitte olisivat olit olitte olivat olla olleet ollut on ovat poikki
        se sekä sen siihen siinä siitä siksi sille sillä siltä sinua sinulla sinulle sinulta sinun
        sinussa sinusta sinut sinuun sinä sitä tai te teidän teidät teihin teille teillä teiltä
        teissä teistä teitä tuo tuohon tuoksi tuolla tuolle tuolta tuon tuona tuossa tuosta tuota
        tähän täksi tälle tällä tältä tämä tämän tänä tässä tästä tätä vaan vai vaikka yli
    """,
    "hu": """
        a abban ahhoz ahogy ahol aki akik akkor alatt amely amelyek amelyekben amelyeket amelyet
        amelynek ami amikor amit amolyan amíg annak arra arról az azok azon azonban azt aztán azután
        azzal azért be belül benne bár cikk cikkek cikkeket csak de e ebben eddig egy egyes egyetlen
        egyik egyre egyéb egész ehhez ekkor el ellen első elég elő először előtt emilyen ennek erre
        ez ezek ezen ezt ezzel ezért fel felé hanem hiszen hogy hogyan igen ill illetve ilyen
        ilyenkor ismét ison itt jobban jó jól kell kellett keressünk keresztül ki kívül között közül
        legalább legyen lehet lehetett lenne lenni lesz lett maga magát majd meg mellett mely melyek
        mert mi mikor milyen minden mindenki mindent mindig mint mintha mit mivel miért most már más
        másik még míg nagy nagyobb nagyon ne nekem neki nem nincs néha néhány nélkül olyan ott pedig
        persze rá s saját sem semmi sok sokat sokkal szemben szerint szinte számára talán tehát
        teljes tovább továbbá több ugyanis utolsó után utána vagy vagyis vagyok valaki valami
        valamint való van vannak vele vissza viszont volna volt voltak voltam voltunk által
        általában át én éppen és így össze úgy új újabb újra ő ők őket
    """,
    "ro": """
        a abia acea aceasta această aceea acei aceia acel acela acele acelea acest acesta aceste
        acestea acești aceștia acolo acum ai aici al ale alea alt alta altceva altul am ar are aș
        așa așadar asemenea asta astea astfel asupra atare atât atâta atâtea atâția ați atunci au
        avea avem aveți azi bine ca că căci când care cărei căror cărui cât câte câți către ce cei
        ceilalți cel cele celor ceva chiar cine cineva ci cu cum cumva da dacă dar dată datorită de
        deci deja deoarece departe deși din dinspre dintr dintre doar după ea ei el ele este eu face
        fără fi fie fiecare fiind foarte fost i ia iar iată îi îl îmi în înainte înapoi între întru
        într îți la le li lor lui mai mâine mea mei mele mereu meu mi mie mine mult multă mulți ne
        nici nicio nimeni nimic niște noastră noastre noi nostru noștri nu o ori oricând oricare
        oricât orice oricine oricum oriunde până pe pentru peste poate pot prea prin s sa să sale
        sau se sunt suntem sunteți său sta sub sus tale tău te ți tine toată toate tot toți totul
        totuși tu un una unde undeva unei unele uneori unii unor unu unui unul va vă vi voastră
        voastre voi vom vor vostru voștri vreo vreun despre spre era cea ceea numai apoi alte multe
        acestei acestui
    """,
    "pl": """
        a aby ale albo ani aż bardziej bardzo bez bo bowiem by być był była było były będą będzie
        cała cały chce choć ci cię co coś czy czyli czym dla dlaczego dlatego do gdy gdyby gdyż
        gdzie go i ich ile im inna inne inny innych ja ją jak jaka jaki jakie jako je jeden jedna
        jednak jedno jego jej jemu jest jestem jeśli jeszcze jeżeli już każdy kiedy kilka kto która
        które którego której który których którym którzy lecz lub ma mają mam mi mimo mną mnie moi
        mój moja moje może można mu my na nad nam nami nas nasz nasza nasze natomiast nawet nią nic
        nich nie niech niego niej nim nimi niż no o obok od ok on ona one oni ono oraz pan pani po
        pod podczas ponad ponieważ potem poza przed przede przez przy również są się skąd sobą sobie
        swoje ta tak taka taki takie także tam te tego tej ten też to tobą tobie toteż tu twój twoja
        twoje ty tych tylko tym u w we więc według wiele wielu właśnie wszystkich wszystkie wszystko
        wy z za zaś ze że żeby żadna żaden żadne wszyscy między sam sama ktoś nigdy zawsze teraz
        temu wam was iż mogą wśród około
    """,
    "cs": """
        a aby ačkoli ale ani ano asi až během bez bude budem budeme budeš budete budou budu by byl
        byla byli bylo byly byste být což či co do ho i já jak jaká jaké jako jaký je jeden jedna
        jedno jeho jej její jejich jen jenž ji jí jich jím jimi jinak jiné jiný již jsem jsi jsme
        jsou jste k kam kde kdo kdy když ke která které kterého který kteří kterou kterých kvůli má
        mají mám máme máš mé mezi mi mít mne mnou mně moc mohou moje moji mou můj může my na nad nám
        námi naše naši ne nebo neboť nebyl něco nejsou není než nic nich nim ním nimi o od ode on
        ona oni ono ony pak po pod podle pokud pouze pro proč proto protože před přes přese při s se
        si sice své svou svůj svých svým ta tady tak také takže tam tato te tě tedy ten tento této
        ti tím tímto to tobě tohle toho tohoto tom tomto tomu tomuto toto tu tuto tvá tvé tvoje tvůj
        ty tyto u už v vám vámi vás váš vaše ve více však všechno všichni vy z za zda zde ze že
        ještě nás náš ní někdo proti další možná potom jestli každý
    """,
    "ca": """
        a al als altra altre altres això aquell aquella aquelles aquells aquest aquesta aquestes
        aquests aquí amb abans així ara bé cada com contra d de del dels des després dins doncs
        donde durant e el ell ella elles ells els em en encara ens entre era eren es és esta està
        estan estat estava et etc ets fa fer fins foren fou ha han has hauria havia he hem hi ho i
        igual iguals ja jo l la les li llavors llur llurs lo m ma mal malgrat mateix mateixa
        mateixes mateixos me mentre més meu meus meva meves mi mig molt molta moltes molts mon n ne
        ni no nosaltres nostra nostre nostres o on os pel pels per perquè però perque poc poca pocs
        poques potser qual quals qualsevol quan quant que què quelcom qui s sa se sense ser seu seus
        seva seves si sí sobre sóc solament sols som són sou sota t ta tal també tampoc tan tant
        tanta tantes te tene tenim tenir teu teus teva teves tinc tot tota totes tots tu un una unes
        uns us va vaig vam van vas veu vosaltres vostra vostre vostres
    """,
    "ru": """
        а без более больше будет будто бы был была были было быть в вам вас вдруг ведь во вот
        впрочем все всегда всего всех всю вы где да даже два для до другой его ее ей ему если есть
        еще ж же за зачем здесь и из или им иногда их к как какая какой когда конечно кто куда ли
        лучше между меня мне много может можно мой моя мы на над надо наконец нас не него нее ней
        нельзя нет ни нибудь никогда ним них ничего но ну о об один он она они опять от перед по под
        после потом потому почти при про раз разве с сам свою себе себя сейчас со совсем так такой
        там тебя тем теперь то тогда того тоже только том тот три тут ты у уж уже хорошо хоть чего
        чем через что чтоб чтобы чуть эти этого этой этом этот эту я
    """,
    "uk": """
        а або адже але б без би був бути була були було в вам вами вас ваш ваша ваше ваші весь ви
        від він вона вони воно все всі всіх вся г де для до ж же за зі з із й його її їй їм їх і
        інший інші інших коли краще крім куди лише мене мені ми мій мною моя моє мої може на навіть
        над нам нами нас наш наша наше наші не нема нею неї ним ними них ні ніж ніхто нього ній о об
        один от ось перед під по поки після при про просто та так така такий такі також там те тебе
        ти тим тих то тобі тобою того той тому тоді треба ту тут у уже вже хіба хоч хоча хто це цей
        ця ці цих цього цьому чи через чого чому щоб що ще є я як яка яке який які яких якого якщо
    """,
    "el": """
        ο η το οι τα του της των τον την τους τις ένας μια μία ένα ενός μιας και ή είτε ούτε μήτε
        αλλά όμως ωστόσο αν εάν ότι πως που όταν αφού επειδή διότι γιατί ώστε για με σε στο στον στη
        στην στα στους στις στου στης από προς κατά μετά παρά αντί ως μέχρι χωρίς εγώ εσύ αυτός αυτή
        αυτό αυτοί αυτές αυτά αυτού αυτής αυτών αυτόν αυτήν αυτούς εμείς εσείς μου σου μας σας ποιος
        ποια ποιο ποιοι ποιες τι όσο όσα όσοι όπως όπου πού πώς πότε εδώ εκεί εκείνος εκείνη εκείνο
        εκείνοι τότε τώρα θα να δεν δε μη μην είμαι είσαι είναι είμαστε είστε ήμουν ήταν έχω έχει
        έχουν είχε είχαν όλα όλοι όλες όλο κάθε κάποιος κάποια κάποιο κάτι τίποτα πολύ πιο μόνο
        ακόμα ακόμη επίσης ίσως όχι ναι ας τόσο
    """,
    "tr": """
        acaba ama ancak aslında az bana bazı belki ben beni benim beş bile bir birçok biri birkaç
        birşey biz bize bizden bizi bizim böyle böylece bu buna bunda bundan bunlar bunları bunların
        bunu bunun burada çok çünkü da daha dahi de defa değil diğer diye dolayı dolayısıyla eğer en
        gibi göre hâlâ hangi hatta hem henüz hep hepsi her herhangi herkes hiç hiçbir için ile
        ilgili ise işte itibaren kadar karşın kendi kendine kendini kez ki kim kime kimi kimse mı mi
        mu mü nasıl ne neden nedenle nerde nerede nereye niçin niye o olan olarak oldu olduğu
        olduğunu olduklarını olmadı olmak olması olmayan olmaz olsa olsun olup olur olursa oluyor on
        ona ondan onlar onlardan onları onların onu onun oysa öyle rağmen sadece sanki sen senden
        seni senin siz sizden sizi sizin şey şeyi şeyler şöyle şu şuna şunu tarafından tüm üzere var
        ve veya ya yani yapılan yapmak yine yok yoksa zaten
    """,
    "ar": """
        في من إلى على عن مع هذا هذه ذلك تلك هؤلاء أولئك التي الذي الذين اللذان اللتان اللواتي ما
        ماذا هل هو هي هم هن أنا أنت أنتم نحن كان كانت كانوا يكون تكون كل بعض غير بين قد لقد لا لم لن
        ليس ليست إن أن إنه أنه إنها أنها كما لكن لكنه أو أم ثم و ف ب ل ك حتى إذا إذ لو لولا كيف أين
        متى عند عندما منذ بعد قبل فوق تحت أمام خلف حول ضد خلال دون سوى مثل أي أيضا فقط هنا هناك حيث
        به بها له لها لهم فيه فيها منه منها عليه عليها إليه إليها نفسه نفسها ذات كلما بل أما إما سوف
        حين لدى
    """,
    "fa": """
        و در به از که این آن را با است برای بر تا یا هم نیز اما ولی اگر چون چه چرا کجا کی چگونه هر
        همه هیچ یک بود بودن باشد باشند شد شده شود می نمی شوند کرد کرده کند کنند دارد دارند داشت خود
        او آنها ایشان من تو ما شما وی آنان اینکه آنکه پس پیش بین روی زیر بالا دیگر بسیار بی باید
        نباید همین همان چنین چند ای ها های هایی نیست هستند بودند توان تواند خواهد سپس حتی فقط مگر
        زیرا بلکه جز ضمن طی علیه مانند
    """,
    "he": """
        של על את אל עם לא כי גם או אם כל זה זו זאת אלה אלו הוא היא הם הן אני אתה אתם אנחנו יש אין
        היה היתה הייתה היו יהיה מה מי איך למה מתי איפה כאשר אשר רק עוד כבר כמו לפי אך אבל בין לפני
        אחרי תחת מן אותו אותה אותם שלו שלה שלהם לו לה להם לי לך לנו בו בה בהם כן יותר מאוד אז שם פה
        כאן כך ידי עד ללא בלי
    """,
    "hi": """
        का के की को ने से में पर तक और या एवं तथा कि जो जिस जिसे जिसका जिसके जिसकी जिन जिनके जिन्हें
        वह वे उस उसे उसका उसके उसकी उसने उन उनका उनके उनकी उन्हें उन्होंने यह ये इस इसे इसका इसके
        इसकी इसमें इसलिए इन इनका इनके इनकी इन्हें हम हमारा हमारे हमारी मैं मेरा मेरे मेरी मुझे तुम
        तुम्हारा आप आपका आपके आपकी अपना अपने अपनी है हैं था थे थी हो होता होते होती होना होने हुआ
        हुए हुई हूँ कर करके करता करते करती करना करने किया किए गया गए गई जा जाता जाते जाती रहा रहे
        रही सकता सकते सकती लिए साथ बाद पहले भी ही तो न नहीं मत कोई कुछ किसी किस कौन क्या क्यों कब
        कहाँ कैसे कितना सब सभी बहुत अब तब जब जहाँ वहाँ यहाँ फिर लेकिन परंतु मगर अगर यदि ऐसा ऐसे ऐसी
        वाला वाले वाली द्वारा एक दिया दे ले
    """,
    "id": """
        ada adalah agar akan aku anda antara apa apabila apakah atau bagai bagaimana bagi bahkan
        bahwa banyak beberapa begitu belum berbagai bisa boleh bukan dahulu dalam dan dapat dari
        daripada demi demikian dengan di dia dimana diri dulu guna hal hampir hanya harus hingga ia
        ialah ini itu jadi jangan jika juga kalau kali kami kamu karena ke kecuali kepada kembali
        kemudian ketika kita ku lagi lain lalu lebih maka mana masih maupun melainkan melalui memang
        mereka merupakan meski meskipun mu mungkin namun nanti nya oleh pada para pernah pula pun
        saat saja saling sama sambil sampai sana sangat saya se sebab sebagai sebagaimana sebelum
        sebuah secara sedang sedangkan sehingga sejak selain selalu selama seluruh semua sementara
        seorang seperti serta sesuatu sesudah setelah setiap siapa sini suatu sudah supaya tanpa
        tapi telah tentang terhadap tersebut tetapi tiap tidak untuk walau walaupun yaitu yakni yang
    """,
}
