package javax.annotation;

/** What the generated code marks itself with; the Java of today does not bring it. */
public @interface Generated {
    String[] value();

    String comments() default "";
}
